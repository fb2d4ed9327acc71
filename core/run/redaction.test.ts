import { describe, expect, it } from 'vitest';
import { Redactor } from './redaction';

function redact(text: string, chunkSize = text.length): { text: string; count: number } {
  const out: Buffer[] = [];
  const redactor = new Redactor((chunk) => out.push(Buffer.from(chunk)));
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; offset += chunkSize) redactor.push(bytes.subarray(offset, offset + chunkSize));
  redactor.end();
  return { text: Buffer.concat(out).toString(), count: redactor.count };
}

const SECRET = 'Zx81kQpL0vWn47RtYb36';

describe('redaction', () => {
  it.each([
    `HF_TOKEN=${SECRET}`,
    `export WANDB_API_KEY="${SECRET}"`,
    `Authorization: Bearer ${SECRET}`,
    `curl -H 'X-Api-Key: ${SECRET}'`,
    `{"api_key": "${SECRET}"}`,
    `https://ada:${SECRET}@registry.example.com/v2`,
    `using hf_${SECRET}${SECRET}`,
    `MASTER_DB_PASSWORD=${SECRET}`,
  ])('takes the secret out of %s, whatever the chunks', (line) => {
    for (const size of [1, 3, 7, 1000]) {
      const result = redact(`before\n${line}\nafter\n`, size);
      expect(result.text).not.toContain(SECRET);
      expect(result.text.split('\n')).toHaveLength(4);
      expect(result.count).toBe(1);
    }
  });

  it('takes out private key blocks and keeps their line count', () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAAsecretAAAA\nBBBBsecretBBBB\n-----END OPENSSH PRIVATE KEY-----\nafter\n';
    const result = redact(key, 5);
    expect(result.text).not.toContain('secret');
    expect(result.text.split('\n')).toHaveLength(6);
    expect(result.text).toContain('after');
  });

  it.each([
    '  8589934592    2147483648     float     sum      -1    31480  272.87  477.52      0\n',
    'vllm:prompt_tokens_total{model_name="chat"} 123456.0\nvllm:time_to_first_token_seconds_bucket{le="0.1"} 7\n',
    'NCCL INFO Channel 00/24 : 0 1 2 3 4 5 6 7\n',
    'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-6f8a2c0e-0000-1111-2222-333344445555)\n',
    'max_tokens=256 tokens/s=1234.5\n',
    'bytes \u00ff\u0000 that are no text\n',
  ])('leaves tool output alone: %s', (text) => {
    expect(redact(text, 9)).toEqual({ text, count: 0 });
  });

  it('passes an unfinished line on at the end', () => {
    expect(redact('no line break').text).toBe('no line break');
  });
});
