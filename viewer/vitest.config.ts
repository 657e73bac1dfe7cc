import { defineConfig } from 'vitest/config';

// One file at a time: each page test drives a browser, and the machine of the gate is small.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    expect: { poll: { timeout: 15_000 } },
  },
});
