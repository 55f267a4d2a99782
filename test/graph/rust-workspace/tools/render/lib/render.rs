mod page;

pub use page::Page;

pub fn render(page: &Page) -> Result<String, page::Broken> {
    let text = page.text()?;
    let brush = paint_kit::Brush::with(paint_kit::Shade::Light);
    Ok(format!("{}{}", text, brush.shade.level()))
}

pub async fn later(page: Page) -> usize {
    let text = fetch(page).await.unwrap_or_else(|broken| broken.why());
    text.len()
}

async fn fetch(page: Page) -> Result<String, page::Broken> {
    render(&page)
}
