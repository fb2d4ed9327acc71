# Runs one command as its own process group, and ends that group when nobody is left who wants it.
# Arguments: bytes of standard input, longest life in seconds, longest silence in seconds, command and its arguments.
# Standard input: the command's own input with a mark behind it; then a line now and then, which says that somebody is there.
# Its end (cancel, lost connection, killed client) is the order to end the command.
mark=gpu-acceptance-input-ends
n=$1 life=$2 silence=$3
shift 3
exec 3<&0
command -v setsid >/dev/null || { echo "gpu-acceptance-error=no-setsid" >&2; exit 127; }
input=$(dd bs=1 count="$n" <&3 2>/dev/null)
# A script of which half arrived must not run.
case $input in *"$mark") input=${input%"$mark"} ;; *) echo "gpu-acceptance-error=input-cut" >&2; exit 125 ;; esac
# Said from inside the new group: whoever reads the number can end the group. Said on both streams: what stands before it is
# the login shell's.
printf %s "$input" | setsid sh -c 'echo "gpu-acceptance-pgid=$$"; echo "gpu-acceptance-pgid=$$" >&2; exec "$@"' gpu-acceptance "$@" 3<&- &
p=$!
# Until setsid has run there is no group, only the process.
signal() { kill -"$1" -$p 2>/dev/null || kill -"$1" $p 2>/dev/null; }
end_group() {
  signal TERM
  i=0
  while [ $i -lt 20 ] && signal 0; do sleep 0.1; i=$((i + 1)); done
  signal KILL
}
# Ignored until the watchdog has its own trap, so that an early sign of life cannot end it.
trap '' USR1
(
  quiet=0
  trap 'quiet=0' USR1
  while [ "$life" -gt 0 ] && [ $quiet -lt "$silence" ] && kill -0 $$ 2>/dev/null; do
    # A sleep that outlives this shell by a second must hold no stream of the session.
    sleep 1 2>/dev/null
    life=$((life - 1)) quiet=$((quiet + 1))
  done
  echo "gpu-acceptance: the command was ended on the machine, because it was overdue or nobody was there any more." >&2
  end_group
) >/dev/null 3<&- &
watchdog=$!
( while read -r _ <&3; do kill -USR1 $watchdog; done; end_group ) >/dev/null 2>&1 &
lifeline=$!
# From here on shells tell of their ended jobs; that is no output of the command.
exec 2>/dev/null
wait $p
status=$?
kill -KILL $lifeline $watchdog
kill -KILL -$p
exit $status
