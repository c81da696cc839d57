#include "guest.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

namespace longleaf::guest {
namespace {

// Shared with the processes that single tests run in.
struct Counts {
  size_t passed, failed;
};
Counts* counts = nullptr;

}  // namespace

void check(bool passed, const std::string& what) {
  ++(passed ? counts->passed : counts->failed);
  std::printf("%s: %s\n", passed ? "ok" : "FAILED", what.c_str());
  std::fflush(stdout);
}

void in_child(const std::string& name, const std::function<void()>& body) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    try {
      body();
    } catch (const std::exception& error) {
      check(false, name + ": " + error.what());
    }
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0, name + " ends by itself");
}

std::vector<std::string> models() {
  std::vector<std::string> paths;
  DIR* folder = opendir("/models");
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') paths.push_back(std::string("/models/") + entry->d_name);
  }
  closedir(folder);
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool equal(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

namespace {

void run_all() {
  counts = static_cast<Counts*>(
      mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  try {
    run_tests();
  } catch (const std::exception& error) {
    check(false, error.what());
  }
  std::printf("%zu passed, %zu failed\n", counts->passed, counts->failed);
}

}  // namespace
}  // namespace longleaf::guest

int main() {
  longleaf::guest::run_all();
  std::fflush(stdout);
  tcdrain(STDOUT_FILENO);
  reboot(RB_POWER_OFF);
}
