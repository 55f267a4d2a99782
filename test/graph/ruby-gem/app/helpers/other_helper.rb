module OtherHelper
  def pad(text)
    text
  end

  def wide
    pad('x')
    tidy_name
    announce(1)
  end
end
