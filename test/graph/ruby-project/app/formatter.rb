class Formatter
  def wide
    pad(2)
  end

  private

  def pad(n)
    n
  end
end
