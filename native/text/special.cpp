#include "text/special.h"

#include <algorithm>
#include <map>
#include <utility>

namespace longleaf {

namespace {

bool is_special(TokenType type) {
  return type == TokenType::Control || type == TokenType::UserDefined || type == TokenType::Unknown;
}

}  // namespace

SpecialSplitter::SpecialSplitter(const Vocab& vocab) : vocab_(vocab), nodes_(1) {
  std::fill(std::begin(roots_), std::end(roots_), -1);
  for (size_t id = 0; id < vocab.types.size(); ++id)
    if (is_special(vocab.types[id]) && !vocab.pieces[id].empty())
      insert(vocab.pieces[id], static_cast<int32_t>(id));
  link();
}

int32_t SpecialSplitter::child(int32_t node, char byte) const {
  if (node == 0) return roots_[static_cast<uint8_t>(byte)];
  int32_t at = nodes_[node].first_child;
  while (at >= 0 && nodes_[at].byte != byte) at = nodes_[at].sibling;
  return at;
}

int32_t SpecialSplitter::step(int32_t node, char byte) const {
  int32_t next;
  while ((next = child(node, byte)) < 0 && node != 0) node = nodes_[node].fail;
  return std::max(next, 0);
}

void SpecialSplitter::insert(std::string_view text, int32_t token) {
  int32_t node = 0;
  for (char byte : text) {
    int32_t next = child(node, byte);
    if (next < 0) {
      next = static_cast<int32_t>(nodes_.size());
      Node fresh;
      fresh.byte = byte;
      fresh.depth = nodes_[node].depth + 1;
      fresh.sibling = nodes_[node].first_child;
      nodes_.push_back(fresh);
      nodes_[node].first_child = next;
      if (node == 0) roots_[static_cast<uint8_t>(byte)] = next;
    }
    node = next;
  }
  if (nodes_[node].token < 0) nodes_[node].token = token;
}

void SpecialSplitter::link() {
  std::vector<int32_t> queue = {0};
  for (size_t head = 0; head < queue.size(); ++head) {
    const int32_t parent = queue[head];
    for (int32_t at = nodes_[parent].first_child; at >= 0; at = nodes_[at].sibling) {
      Node& node = nodes_[at];
      node.fail = parent == 0 ? 0 : step(nodes_[parent].fail, node.byte);
      node.shorter = nodes_[node.fail].token >= 0 ? node.fail : nodes_[node.fail].shorter;
      queue.push_back(at);
    }
  }
}

// The node itself or the longest suffix of it whose token may be split off; -1 if there is none.
int32_t SpecialSplitter::usable(int32_t node, bool parse_special) const {
  while (node >= 0) {
    const int32_t token = nodes_[node].token;
    if (token >= 0 && (parse_special || vocab_.types[token] == TokenType::UserDefined)) break;
    node = nodes_[node].shorter;
  }
  return node;
}

std::vector<Fragment> SpecialSplitter::split(std::string_view text, bool parse_special) const {
  struct Match {
    size_t end;
    int32_t node;
  };
  // Each place where a token may end waits under the length of the longest token not yet tried there.
  std::map<uint32_t, std::vector<Match>, std::greater<>> waiting;
  int32_t node = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    node = step(node, text[at]);
    if (node == 0) continue;
    const int32_t match = usable(node, parse_special);
    if (match >= 0) waiting[nodes_[match].depth].push_back({at + 1, match});
  }
  if (waiting.empty()) {
    if (text.empty()) return {};
    return {{text, -1}};
  }

  // taken[i]: the byte belongs to a chosen token. What was chosen before is at least as long as what is tried
  // now, so that an overlap always covers the first or the last byte.
  std::vector<bool> taken(text.size());
  std::vector<Match> chosen;
  while (!waiting.empty()) {
    const uint32_t length = waiting.begin()->first;
    std::vector<Match> matches = std::move(waiting.begin()->second);
    waiting.erase(waiting.begin());
    std::sort(matches.begin(), matches.end(), [this](const Match& a, const Match& b) {
      return std::pair(nodes_[a.node].token, a.end) < std::pair(nodes_[b.node].token, b.end);
    });
    for (const Match& match : matches) {
      if (taken[match.end - 1]) continue;
      if (!taken[match.end - length]) {
        std::fill(taken.begin() + (match.end - length), taken.begin() + match.end, true);
        chosen.push_back(match);
      } else if (const int32_t next = usable(nodes_[match.node].shorter, parse_special); next >= 0) {
        waiting[nodes_[next].depth].push_back({match.end, next});
      }
    }
  }

  std::sort(chosen.begin(), chosen.end(), [](const Match& a, const Match& b) { return a.end < b.end; });
  std::vector<Fragment> fragments;
  size_t done = 0;
  for (const Match& match : chosen) {
    const size_t start = match.end - nodes_[match.node].depth;
    if (start > done) fragments.push_back({text.substr(done, start - done), -1});
    fragments.push_back({{}, nodes_[match.node].token});
    done = match.end;
  }
  if (done < text.size()) fragments.push_back({text.substr(done), -1});
  return fragments;
}

}  // namespace longleaf
