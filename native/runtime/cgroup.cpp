#include "runtime/cgroup.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace longleaf {
namespace {

std::optional<std::string> read_word(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  if (file >> word) return word;
  return std::nullopt;
}

std::optional<long long> read_number(const std::string& path) {
  const auto word = read_word(path);
  if (!word) return std::nullopt;
  try {
    return std::stoll(*word);
  } catch (const std::exception&) {  // "max", or a number past 64 bits: no limit
    return std::nullopt;
  }
}

// The folder of this process in a hierarchy and every folder above it: a limit on any of them binds.
// controller is empty for cgroup v2.
std::vector<std::string> folders(const std::string& controller) {
  std::ifstream file("/proc/self/cgroup");
  std::string path;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::stringstream names(line.substr(first + 1, second - first - 1));
    std::string name;
    bool match = controller.empty() && second == first + 1;
    while (std::getline(names, name, ',')) match = match || (!controller.empty() && name == controller);
    if (match) path = line.substr(second + 1);
  }
  const std::string root = controller.empty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controller;
  std::vector<std::string> result;
  while (!path.empty() && path != "/") {
    result.push_back(root + path);
    path.resize(path.rfind('/'));
  }
  result.push_back(root);
  return result;
}

}  // namespace

int cgroup_cpus() {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& folder : folders("")) {
    std::ifstream file(folder + "/cpu.max");
    std::string quota;
    double period = 0;
    if (!(file >> quota >> period) || quota == "max" || period <= 0) continue;
    least = std::min(least, std::strtod(quota.c_str(), nullptr) / period);
  }
  for (const auto& folder : folders("cpu")) {
    const auto quota = read_number(folder + "/cpu.cfs_quota_us");
    const auto period = read_number(folder + "/cpu.cfs_period_us");
    if (quota && period && *quota > 0 && *period > 0) {
      least = std::min(least, static_cast<double>(*quota) / static_cast<double>(*period));
    }
  }
  if (!std::isfinite(least)) return 0;
  return std::max(1, static_cast<int>(std::ceil(std::min(least, 65536.0))));
}

size_t cgroup_memory_left() {
  size_t least = std::numeric_limits<size_t>::max();
  const auto take = [&](const std::string& limit_file, const std::string& usage_file) {
    const auto limit = read_number(limit_file);
    const auto usage = read_number(usage_file);
    if (limit && usage) least = std::min(least, static_cast<size_t>(std::max(0LL, *limit - *usage)));
  };
  for (const auto& folder : folders("")) take(folder + "/memory.max", folder + "/memory.current");
  for (const auto& folder : folders("memory")) {
    take(folder + "/memory.limit_in_bytes", folder + "/memory.usage_in_bytes");
  }
  return least;
}

}  // namespace longleaf
