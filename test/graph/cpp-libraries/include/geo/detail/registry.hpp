#pragma once

namespace geo::detail {

template <class T>
class Registered {
 protected:
  void enlist() { list().add(this); }

 public:
  class List {
   public:
    void add(Registered *one);
    int size() const { return size_; }

   private:
    int size_ = 0;
  };
  static List &list();
};

template <class T>
void Registered<T>::List::add(Registered *one) {
  size_ += one != nullptr;
}

template <class T>
typename Registered<T>::List &Registered<T>::list() {
  static List all;
  return all;
}

int checked(int n);

}  // namespace geo::detail
