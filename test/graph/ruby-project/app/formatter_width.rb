class Formatter
  def narrow
    pad(1)
    wide
  end
end
