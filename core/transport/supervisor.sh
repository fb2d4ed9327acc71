# Runs one command as its own process group, and ends that group when the session is gone.
# Arguments: number of standard-input bytes for the command, longest life in seconds, command and arguments.
# The session's standard input stays open as a lifeline: when it ends (cancel, lost connection, killed client) the group ends.
n=$1 life=$2
shift 2
exec 3<&0
command -v setsid >/dev/null || { echo "gpu-acceptance-error=no-setsid" >&2; exit 127; }
if [ "$n" -gt 0 ]; then
  input=$(dd bs=1 count="$n" <&3 2>/dev/null)
  printf "%s\n" "$input" | setsid "$@" 3<&- &
else
  setsid "$@" </dev/null 3<&- &
fi
p=$!
echo "gpu-acceptance-pgid=$p" >&2
end_group() {
  kill -TERM -$p
  i=0
  while [ $i -lt 20 ] && kill -0 -$p; do sleep 0.1; i=$((i + 1)); done
  kill -KILL -$p
}
( read -r _ <&3; end_group ) >/dev/null 2>&1 &
lifeline=$!
setsid sh -c 'sleep "$1"; kill -KILL -"$2"' deadline "$life" "$p" </dev/null >/dev/null 2>&1 3<&- &
deadline=$!
wait "$p"
status=$?
kill -KILL "$lifeline" 2>/dev/null
kill -KILL -"$deadline" 2>/dev/null
kill -KILL -"$p" 2>/dev/null
exit "$status"
