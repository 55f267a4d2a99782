#ifndef CANVAS
#define CANVAS
#include "../include/geo/shape.hpp"

namespace geo {

class Pen {
 public:
  Pen &colour(Colour colour);
  Pen &width(int width, bool soft = false);
  Pen &width();
};

class Canvas {
 public:
  Canvas() = default;
  ~Canvas();
  Pen &pen() { return pen_; }
  void line(const Point &from, const Point &to);
  Canvas &operator<<(const std::string &text);
  template <typename F>
  void each(F visit);

 private:
  Pen pen_;
  std::vector<std::shared_ptr<Shape>> shapes_;
};

template <typename F>
void Canvas::each(F visit) {
  for (auto &shape : shapes_) {
    visit(*shape);
    shape->draw(*this);
  }
}

}  // namespace geo
#endif
