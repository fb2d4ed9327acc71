/** Made with OpenSSH 9.2 (`ssh-keygen -Y sign -n night-shift`) by keys that were thrown away: `PUBLIC KEY`, signature. */
export const MESSAGE = 'manifest of a bag\n';
export const NAMESPACE = 'night-shift';
export const SIGNATURES: Readonly<Record<string, { publicKey: string; signature: string }>> = {
  'ed25519': {
    publicKey: 'AAAAC3NzaC1lZDI1NTE5AAAAIJjY0SMIVcJELhujsOFfv5kdddUK5bt378xLZyBsjlKD',
    signature: [
      '-----BEGIN SSH SIGNATURE-----',
      'U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgmNjRIwhVwkQuG6Ow4V+/mR111Q',
      'rlu3fvzEtnIGyOUoMAAAALbmlnaHQtc2hpZnQAAAAAAAAABnNoYTUxMgAAAFMAAAALc3No',
      'LWVkMjU1MTkAAABALMorDNGufCS9mr1z6baVnfvhtkOUa8ZVOaz28PiEKeh/T57F+h5/+6',
      'jEWoPD5qcVEEkLSquUJ8EHXq/AtQ39Cw==',
      '-----END SSH SIGNATURE-----',
      '',
    ].join('\n'),
  },
  'ecdsa': {
    publicKey: 'AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBG58J0XY9dh/B/fKXdUzX9qqr3SsFajlXlNXqNQZCuce/1ev8QUTXK2jZ7xjqIeacg1a3jgxj3iAPJzF9wmQ0z0=',
    signature: [
      '-----BEGIN SSH SIGNATURE-----',
      'U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE',
      'EEbnwnRdj12H8H98pd1TNf2qqvdKwVqOVeU1eo1BkK5x7/V6/xBRNcraNnvGOoh5pyDVre',
      'ODGPeIA8nMX3CZDTPQAAAAtuaWdodC1zaGlmdAAAAAAAAAAGc2hhNTEyAAAAZAAAABNlY2',
      'RzYS1zaGEyLW5pc3RwMjU2AAAASQAAACBQdTATP/jYBm/yO4wFxR0CkgDnFXVO//WqWGMr',
      'CtPjwwAAACEAv7tdAaJ6oypp/vcyJrJTzqU+RKNwWM0d9zBxvcKIuzA=',
      '-----END SSH SIGNATURE-----',
      '',
    ].join('\n'),
  },
  'rsa with sha256': {
    publicKey: 'AAAAB3NzaC1yc2EAAAADAQABAAABAQDGVQJiAnmDQNFISdCxVTpeP0RktGmknF7uWfFIVQE98MBcRZa7xyg6GUb+LdNVK+um2UUL83uI2R8rTEkTMHWJ+1skD+GETn2LxudXI7DTmg9EMYu9cYydQBjEzT7pDvuWrjk5V2qBRvjYmfQlBBQ9EBJnFtlHtht1gRYRyUhov2qlGUrz6LMF3epa+SRmFBfoQ1j3u4WzVocQFqw9fm8Bb6X1YwUwzmEnnyQEjsdr9XIR7dcGK0YVbAPDFqLFoW2UV5GjN0q0mhha/qms8//mcYUdc0XN49X4Sbe1tE7izj0yvaxQEzltqC8+6RpC7rJdDnSF+sBmlq8KbEJ7uq27',
    signature: [
      '-----BEGIN SSH SIGNATURE-----',
      'U1NIU0lHAAAAAQAAARcAAAAHc3NoLXJzYQAAAAMBAAEAAAEBAMZVAmICeYNA0UhJ0LFVOl',
      '4/RGS0aaScXu5Z8UhVAT3wwFxFlrvHKDoZRv4t01Ur66bZRQvze4jZHytMSRMwdYn7WyQP',
      '4YROfYvG51cjsNOaD0Qxi71xjJ1AGMTNPukO+5auOTlXaoFG+NiZ9CUEFD0QEmcW2Ue2G3',
      'WBFhHJSGi/aqUZSvPoswXd6lr5JGYUF+hDWPe7hbNWhxAWrD1+bwFvpfVjBTDOYSefJASO',
      'x2v1chHt1wYrRhVsA8MWosWhbZRXkaM3SrSaGFr+qazz/+ZxhR1zRc3j1fhJt7W0TuLOPT',
      'K9rFATOW2oLz7pGkLusl0OdIX6wGaWrwpsQnu6rbsAAAALbmlnaHQtc2hpZnQAAAAAAAAA',
      'BnNoYTI1NgAAARQAAAAMcnNhLXNoYTItNTEyAAABAEUZiDeskQ7T97PpWnmsUPnTaynOOx',
      '2RvlZl6UTA0OdVu4Wo2mre5796kNgkt9XgkdYmKnl1Jp5+wzz0E8YbNI2iLKnOAkh5B0Rb',
      'AgwQZh8uibRNhH3LxayQ9GcMxyOfwZMqbBAtlxf/qviAPF6ta9fc1TD4dyGTahJGRSuuf9',
      '3y4xYJiat1BmMgwidsRVDmwGbhX01+DOr0M95Rk8ZBJzPt5KAox4xi2hB0W4DwqbfiXWyH',
      'kByLR0a5dGjU5Y6BvYzkhu53K6u9Bd6D4eRaaIQcUKb7zZ39YGwSSlt8Upyj3hx6itMW/M',
      'LajJDG8reAJXs4BHB6BWvCUaS+1CAZIZM=',
      '-----END SSH SIGNATURE-----',
      '',
    ].join('\n'),
  },
};
