// Limits that a container puts on this process.
// Files: https://docs.kernel.org/admin-guide/cgroup-v2.html and .../cgroup-v1/
#pragma once

#include <cstddef>

namespace longleaf {

// CPUs' worth of time this process may use, rounded up; 0 when there is no limit.
int cgroup_cpus();

// Bytes until the memory limit; the largest size_t when there is none.
size_t cgroup_memory_left();

}  // namespace longleaf
