import { describe, expect, it } from 'vitest';
import { MarkedStream, type SupervisorMark } from './supervisor';

function read(text: string, chunkSize = text.length) {
  const passed: Buffer[] = [];
  const marks: SupervisorMark[] = [];
  const stream = new MarkedStream((chunk) => passed.push(Buffer.from(chunk)), (mark) => marks.push(mark));
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; offset += chunkSize) stream.write(bytes.subarray(offset, offset + chunkSize));
  const early = Buffer.concat(passed).toString();
  stream.flush();
  return { early, text: Buffer.concat(passed).toString(), marks };
}

describe("the supervisor's mark", () => {
  it.each([1, 5, 1000])('is taken out with the greeting before it, in chunks of %i', (size) => {
    const result = read('Welcome to é!\nprompt> gpu-acceptance-pgid=4711\nfirst\nsecond', size);
    expect(result).toEqual({ early: 'first\nsecond', text: 'first\nsecond', marks: [{ processGroupId: 4711 }] });
  });

  it('is found once: what the command prints is the command’s', () => {
    expect(read('gpu-acceptance-pgid=1\ngpu-acceptance-pgid=2\n', 3).text).toBe('gpu-acceptance-pgid=2\n');
  });

  it('leaves everything as it is when it does not come', () => {
    expect(read('This account is currently not available.\n')).toEqual({ early: '', text: 'This account is currently not available.\n', marks: [] });
  });

  it('is not waited for without end', () => {
    expect(read('x'.repeat(70_000), 1000).early).toHaveLength(70_000);
  });

  it('says why the command was not started', () => {
    expect(read('gpu-acceptance-error=no-setsid\n').marks).toEqual([{ error: 'no-setsid' }]);
  });
});
