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
    `https://ada:p@ss@${SECRET}@registry.example.com/v2`,
    `machine api.example.com login ada password ${SECRET}`,
    `  password ${SECRET}`,
    `using hf_${SECRET}${SECRET}`,
    `MASTER_DB_PASSWORD=${SECRET}`,
    `DB_PASSWORD="two ${SECRET} words"`,
    `password: '${SECRET}'`,
    `DEPLOY_KEY=${SECRET}`,
    `Authorization: ${SECRET}`,
    `{"Authorization": "Bearer ${SECRET}"}`,
    `aws_secret_access_key = ${SECRET}`,
    `vllm serve --api-key ${SECRET} --port 8000`,
    `GET /v1/models?token=${SECRET}`,
    `Cookie: session=${SECRET}; theme=dark`,
    `GET https://bucket.example.com/model.safetensors?X-Amz-Date=20261201T000000Z&X-Amz-Signature=${SECRET}&partNumber=1`,
    `https://store.example.net/models/a.bin?sv=2026-01-01&sig=${SECRET}`,
    `DefaultEndpointsProtocol=https;AccountName=models;AccountKey=${SECRET}==`,
    `docker login -u ada -p dckr_pat_${SECRET}`,
    `{"tls": "-----BEGIN PRIVATE KEY-----\\n${SECRET}\\n-----END PRIVATE KEY-----"}`,
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

  it('goes on behind a key on one line, a key without end, and the end of a key', () => {
    const oneLine = redact(`{"key": "-----BEGIN PRIVATE KEY-----\\n${SECRET}\\n-----END PRIVATE KEY-----"}\n# Avg bus bandwidth : 361.2\n`);
    expect(oneLine.text.endsWith('-----END PRIVATE KEY-----"}\n# Avg bus bandwidth : 361.2\n')).toBe(true);
    const endless = redact(`-----BEGIN RSA PRIVATE KEY-----\n${SECRET}\n# Avg bus bandwidth : 361.2\nHF_TOKEN=${SECRET}\n`, 4);
    expect(endless).toEqual({ text: '-----BEGIN RSA PRIVATE KEY-----\n[REDACTED]\n# Avg bus bandwidth : 361.2\nHF_TOKEN=[REDACTED]\n', count: 2 });
  });

  it('keeps JSON and exposition text well formed', () => {
    const json = redact(`{"api_key": "${SECRET}", "password": null, "token": "a\\"${SECRET}", "max_tokens": 512}`).text;
    expect(JSON.parse(json)).toEqual({ api_key: '[REDACTED]', password: null, token: '[REDACTED]', max_tokens: 512 });
    expect(redact(`up{auth_token="${SECRET}",gpu="0"} 1\n`).text).toBe('up{auth_token="[REDACTED]",gpu="0"} 1\n');
  });

  it('sees a secret at the place where a line without end is cut', () => {
    for (const before of [262_130, 262_144, 266_230]) {
      const result = redact(`${'x'.repeat(before)} HF_TOKEN=${SECRET} ${'y'.repeat(9000)}`, 50_000);
      expect([result.text.includes(SECRET), result.text.length]).toEqual([false, before + 21 + 9000]);
    }
  });

  it('takes linear time for any line', () => {
    const startedAt = performance.now();
    for (const part of ['a', 'KEY_', 'token', '"', ':', 'A_', 'secret ', '://a:', 'eyJ', '-----BEGIN PRIVATE KEY-----']) redact(part.repeat(250_000 / part.length), 65_536);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it.each([
    '  8589934592    2147483648     float     sum      -1    31480  272.87  477.52      0\n',
    'vllm:prompt_tokens_total{model_name="chat"} 123456.0\nvllm:time_to_first_token_seconds_bucket{le="0.1"} 7\n',
    'NCCL INFO Channel 00/24 : 0 1 2 3 4 5 6 7\n',
    'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-6f8a2c0e-0000-1111-2222-333344445555)\n',
    'max_tokens=4096 max_num_batched_tokens="8192" tokens/s=1234.5\n',
    'Time per Output Token: 12.75\ninter_token_latency: 0.01275\neos_token="<|im_end|>" per_token_ms=18.25\n',
    '{"tokenizer": "org/model-8b", "total_token_throughput": 12345.678, "api_key": null}\n',
    'NCCL INFO comm 0x55d0 key=0x1f2e3d4c commId 0xabcdef\nSORT_KEY=1024\n',
    'bytes \u00ff\u0000 that are no text\n',
    'listening on http://10.0.0.7:8000/v1 as svc@node1',
    'password authentication is off',
  ])('leaves tool output alone: %s', (text) => {
    expect(redact(text, 9)).toEqual({ text, count: 0 });
  });

  it('passes an unfinished line on at the end', () => {
    expect(redact('no line break').text).toBe('no line break');
  });
});
