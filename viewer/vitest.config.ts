import { defineConfig } from 'vitest/config';

// One file at a time: each page test drives a browser, and the machine of the gate is small. Waits end when what is
// waited for is there: their limits are for what never comes, and for a machine that does ten other things.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    expect: { poll: { timeout: 120_000 } },
  },
});
