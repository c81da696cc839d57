// What the programs that are the first process of a virtual machine have in common.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace longleaf::guest {

// Counts and tells a check.
void check(bool passed, const std::string& what);

// In a process of its own, so that what it changes of itself ends with it.
void in_child(const std::string& name, const std::function<void()>& body);

// Paths of the models that stand beside the program.
std::vector<std::string> models();

bool equal(const std::vector<float>& a, const std::vector<float>& b);

// What a program tests; guest.cpp runs it, tells the counts and ends the machine.
void run_tests();

}  // namespace longleaf::guest
