#include "page/objects.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace longleaf {

namespace {

constexpr int kText = 1, kPath = 2, kPicture = 3, kShading = 4, kForm = 5;  // FPDF_PAGEOBJ_*
constexpr int kLineTo = 0, kMoveTo = 2;                                     // FPDF_SEGMENT_*
constexpr int kMostDepth = 8, kMostSegments = 400;
constexpr int kInvisible = 3, kClipOnly = 7;  // FPDF_TEXTRENDERMODE_*
constexpr unsigned kOpaque = 250, kClear = 13;
constexpr int kNear = 24;                    // of 255: an ink this near to its ground is not seen well
constexpr double kLeastSeen = 1.2;           // points
constexpr double kThin = 2.0, kLeast = 3.0;  // points: the height of a rule, the sides of what covers

struct Point {
  double x, y;
};

Point moved(const PageMatrix& m, double x, double y) {
  return {m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f};
}

PageMatrix times(const PageMatrix& inner, const PageMatrix& outer) {
  return {inner.a * outer.a + inner.b * outer.c,           inner.a * outer.b + inner.b * outer.d,
          inner.c * outer.a + inner.d * outer.c,           inner.c * outer.b + inner.d * outer.d,
          inner.e * outer.a + inner.f * outer.c + outer.e, inner.e * outer.b + inner.f * outer.d + outer.f};
}

class Looker {
 public:
  Looker(const ObjectFunctions& functions, const PageFrame& frame, bool layers, int most)
      : f_(functions), frame_(frame), layers_(layers), left_(most) {}

  void page(void* page) {
    const int n = f_.count(page);
    for (int i = 0; i < n && left_ > 0; ++i) object(f_.object(page, i), {1, 0, 0, 1, 0, 0}, false, 0);
  }

  void characters(void* text_page, const PlacedCharacters& placed) {
    const size_t n = placed.count;
    of_.assign(n, {-1, 0xFF, 0});
    grounds_.assign(n, -1);
    drawn.suspicions.assign(n, 0);
    drawn.struck.assign(n, -1);
    drawn.cover.assign(n, -1);
    void* last = nullptr;
    Text text{-1, 0xFF, 0};
    for (size_t i = 0; i < n; ++i) {
      void* object = f_.text_object(text_page, placed.indexes[i]);
      if (object != last) {
        const auto found = texts_.find(object);
        text = found == texts_.end() ? Text{-1, 0xFF, 0} : found->second;
        last = object;
      }
      of_[i] = text;
    }
    if (!drawn.kinds.empty()) lay_over(placed);
    for (size_t i = 0; i < n; ++i) {
      const double* box = placed.boxes + 4 * i;
      uint8_t why = box[2] - box[0] < kLeastSeen && box[3] - box[1] < kLeastSeen ? kTiny : 0;
      if (drawn.struck[i] >= 0) why |= kStruckThrough;
      if (of_[i].order >= 0) {
        why |= of_[i].look;
        if (drawn.cover[i] >= 0) {
          why |= drawn.kinds[static_cast<size_t>(drawn.cover[i])] == kCover ? kCovered : kUnderImage;
        }
        const int32_t ground = grounds_[i];
        const bool known = ground < 0 || drawn.kinds[static_cast<size_t>(ground)] == kCover;
        const uint32_t paper = ground < 0 ? 0xFFFFFFFF : drawn.colours[static_cast<size_t>(ground)];
        if (known && alike(of_[i].ink, paper)) why |= kAlike;
      }
      drawn.suspicions[i] = why;
      drawn.any |= why;
    }
  }

  Drawn drawn;

 private:
  struct Text {
    int32_t order;
    uint32_t ink;
    uint8_t look;
  };

  static bool alike(uint32_t ink, uint32_t paper) {
    for (int shift = 8; shift <= 24; shift += 8) {
      const int difference = static_cast<int>(ink >> shift & 255) - static_cast<int>(paper >> shift & 255);
      if (std::abs(difference) >= kNear) return false;
    }
    return true;
  }

  void object(void* object, const PageMatrix& outer, bool clear, int depth) {
    if (object == nullptr) return;
    --left_;
    const int32_t order = order_++;
    switch (f_.type(object)) {
      case kText: {
        const int mode = f_.render_mode(object);
        const bool stroked = mode == 1 || mode == 5;
        const uint32_t ink = colour(stroked ? f_.stroke_colour : f_.fill_colour, object);
        uint8_t look = layers_ && (depth > 0 || in_layer(object)) ? kLayered : 0;
        if (mode == kInvisible || mode == kClipOnly || (ink & 0xFF) < kClear) look |= kInkless;
        texts_[object] = {order, ink, look};
        break;
      }
      case kPath:
        path(object, outer, clear || f_.transparent(object) != 0, order);
        break;
      case kPicture:
      case kShading: {
        float l = 0, b = 0, r = 0, t = 0;
        if (f_.bounds(object, &l, &b, &r, &t) == 0) break;
        const std::array<Point, 4> corners = {moved(outer, l, b), moved(outer, r, b), moved(outer, r, t),
                                              moved(outer, l, t)};
        const bool picture = f_.type(object) == kPicture;
        add(corners.data(), 4, 0, picture ? kImage : kUnknown, 0, order);
        break;
      }
      case kForm: {
        PageMatrix own{1, 0, 0, 1, 0, 0};
        if (depth >= kMostDepth || f_.matrix(object, &own) == 0) break;
        const bool see_through = clear || f_.transparent(object) != 0;
        const int n = f_.form_count(object);
        for (int i = 0; i < n && left_ > 0; ++i) {
          this->object(f_.form_object(object, static_cast<unsigned long>(i)), times(own, outer), see_through,
                       depth + 1);
        }
        break;
      }
      default:
        break;
    }
  }

  // Red, green, blue, alpha; an alpha of 0 and a blue of 1 for a pattern.
  template <typename Function>
  uint32_t colour(Function function, void* object) const {
    unsigned r = 0, g = 0, b = 0, a = 0;
    if (function(object, &r, &g, &b, &a) == 0) return 0xFF;  // text in a pattern is taken for black
    return (r & 255) << 24 | (g & 255) << 16 | (b & 255) << 8 | (a & 255);
  }

  bool in_layer(void* object) const {
    const int n = std::min(f_.mark_count(object), 16);
    for (int i = 0; i < n; ++i) {
      std::array<uint16_t, 4> name{};
      unsigned long needed = 0;
      void* mark = f_.mark(object, static_cast<unsigned long>(i));
      if (mark != nullptr && f_.mark_name(mark, name.data(), sizeof(name), &needed) != 0 && needed == 6 &&
          name[0] == 'O' && name[1] == 'C') {
        return true;
      }
    }
    return false;
  }

  void path(void* path, const PageMatrix& outer, bool clear, int32_t order) {
    int fill = 0, stroke = 0;
    if (f_.draw_mode(path, &fill, &stroke) == 0 || (fill == 0 && stroke == 0)) return;
    const int n = f_.segment_count(path);
    PageMatrix own{1, 0, 0, 1, 0, 0};
    if (n < 2 || n > kMostSegments || f_.matrix(path, &own) == 0) return;
    const PageMatrix whole = times(own, outer);
    unsigned r = 0, g = 0, b = 0, a = 0;
    const bool known = fill == 0 || f_.fill_colour(path, &r, &g, &b, &a) != 0;
    const uint32_t filled = (r & 255) << 24 | (g & 255) << 16 | (b & 255) << 8 | (a & 255);
    float width = 0;
    if (stroke != 0) {
      f_.stroke_width(path, &width);
      width *= static_cast<float>(std::sqrt(std::abs(whole.a * whole.d - whole.b * whole.c)));
      if (fill == 0 && (colour(f_.stroke_colour, path) & 0xFF) < kClear) return;
    }
    std::vector<Point>& points = points_;
    points.clear();
    bool straight = true;
    const auto end = [&] {
      if (points.size() > 1) {
        shape(straight, fill != 0, known && !clear && a >= kOpaque, stroke != 0, width, filled, order);
      }
      points.clear();
      straight = true;
    };
    for (int i = 0; i < n; ++i) {
      void* segment = f_.segment(path, i);
      float x = 0, y = 0;
      if (segment == nullptr || f_.point(segment, &x, &y) == 0) return;
      const int type = f_.segment_type(segment);
      if (type == kMoveTo) end();
      straight = straight && (type == kMoveTo || type == kLineTo);
      points.push_back(moved(whole, x, y));
    }
    end();
  }

  // One part of a path, its points in `points_`.
  void shape(bool straight, bool filled, bool opaque, bool stroked, double width, uint32_t colour,
             int32_t order) {
    const auto [left, right] = std::minmax_element(points_.begin(), points_.end(),
                                                   [](const Point& p, const Point& q) { return p.x < q.x; });
    const auto [low, high] = std::minmax_element(points_.begin(), points_.end(),
                                                 [](const Point& p, const Point& q) { return p.y < q.y; });
    const double across = right->x - left->x, along = high->y - low->y;
    const bool upright = frame_.turns % 2 == 0;
    const double height = upright ? along : across, length = upright ? across : along;
    const bool thin = height <= kThin && length >= kLeast && height < 0.5 * length;
    if (straight && thin && (filled || width <= 2 * kThin)) {
      add(points_.data(), points_.size(), filled ? 0 : width / 2, kRule, colour, order);
      return;
    }
    const bool large = across >= kLeast && along >= kLeast;
    if (!large) return;
    bool rectangle = straight && points_.size() >= 4 && points_.size() <= 6;
    for (size_t i = 1; rectangle && i < points_.size(); ++i) {
      const double dx = std::abs(points_[i].x - points_[i - 1].x),
                   dy = std::abs(points_[i].y - points_[i - 1].y);
      rectangle = std::min(dx, dy) < 0.05;
    }
    if (filled) {
      add(points_.data(), points_.size(), 0, rectangle && opaque ? kCover : kUnknown, colour, order);
    }
    if (rectangle && (stroked || filled)) {
      if (stroked) add(points_.data(), points_.size(), 0, kBox, colour, order);
    } else if (straight && stroked && points_.size() == 2 && !filled) {
      add(points_.data(), points_.size(), 0, kStroke, colour, order);
    }
  }

  void add(const Point* points, size_t count, double around, Shape kind, uint32_t colour, int32_t order) {
    double left = points[0].x, right = left, bottom = points[0].y, top = bottom;
    for (size_t i = 1; i < count; ++i) {
      left = std::min(left, points[i].x);
      right = std::max(right, points[i].x);
      bottom = std::min(bottom, points[i].y);
      top = std::max(top, points[i].y);
    }
    if (!std::isfinite(left + right + bottom + top)) return;
    const bool flat = frame_.turns % 2 == 0;
    const double x = flat ? 0 : around, y = flat ? around : 0;
    const std::array<float, 4> sides = {static_cast<float>(left - x), static_cast<float>(top + y),
                                        static_cast<float>(right + x), static_cast<float>(bottom - y)};
    const std::array<double, 4> box = as_shown(sides, frame_);
    drawn.boxes.insert(drawn.boxes.end(), box.begin(), box.end());
    drawn.kinds.push_back(kind);
    drawn.colours.push_back(colour);
    drawn.orders.push_back(order);
  }

  // For each shape the characters in or on it: those at its height are found by their middles, in order.
  void lay_over(const PlacedCharacters& placed) {
    std::vector<int32_t> by_height(placed.count);
    std::iota(by_height.begin(), by_height.end(), 0);
    const auto middle = [&](int32_t i) {
      const double* box = placed.boxes + 4 * static_cast<size_t>(i);
      return (box[1] + box[3]) / 2;
    };
    std::sort(by_height.begin(), by_height.end(),
              [&](int32_t i, int32_t j) { return middle(i) < middle(j); });
    std::vector<double> middles(placed.count);
    for (size_t k = 0; k < placed.count; ++k) middles[k] = middle(by_height[k]);
    for (size_t s = 0; s < drawn.kinds.size(); ++s) {
      const uint8_t kind = drawn.kinds[s];
      if (kind == kBox || kind == kStroke) continue;
      const double* shape = drawn.boxes.data() + 4 * s;
      const bool rule = kind == kRule;
      const double far = rule ? 20 : 0;
      const auto from = std::lower_bound(middles.begin(), middles.end(), shape[1] - far);
      const auto to = std::upper_bound(from, middles.end(), shape[3] + far);
      for (auto k = from; k != to; ++k) {
        const auto i = static_cast<size_t>(by_height[static_cast<size_t>(k - middles.begin())]);
        const double* box = placed.boxes + 4 * i;
        const double x = (box[0] + box[2]) / 2;
        if (x < shape[0] || x > shape[2]) continue;
        if (rule) {
          // Between the feet of letters and the top of small ones.
          const double height = box[3] - box[1], y = (shape[1] + shape[3]) / 2;
          const bool through = y > box[1] + 0.34 * height && y < box[3] - 0.27 * height;
          if (through && shape[3] - shape[1] < 0.25 * height) drawn.struck[i] = static_cast<int32_t>(s);
        } else if (of_[i].order >= 0 && drawn.orders[s] < of_[i].order) {
          grounds_[i] = static_cast<int32_t>(s);
        } else if (of_[i].order >= 0 && (kind == kCover || kind == kImage)) {
          drawn.cover[i] = static_cast<int32_t>(s);
        }
      }
    }
  }

  const ObjectFunctions& f_;
  const PageFrame& frame_;
  const bool layers_;
  int left_;
  int32_t order_ = 0;
  std::vector<Point> points_;
  std::unordered_map<void*, Text> texts_;
  std::vector<Text> of_;          // of each character
  std::vector<int32_t> grounds_;  // of each character the shape it stands on; -1 for the paper
};

}  // namespace

Drawn look_at_objects(const ObjectFunctions& functions, void* page, void* text_page,
                      const PlacedCharacters& characters, const PageFrame& frame, bool layers, int most) {
  Looker looker(functions, frame, layers, most);
  looker.page(page);
  looker.characters(text_page, characters);
  return std::move(looker.drawn);
}

}  // namespace longleaf
