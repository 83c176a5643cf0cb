// The benchmarks.
