use crate::render;

pub struct Page {
    pub title: Option<String>,
    next: Option<Box<Page>>,
}

pub struct Broken;

impl Broken {
    pub fn why(&self) -> String {
        String::from("broken")
    }
}

impl Page {
    pub fn text(&self) -> Result<String, Broken> {
        let title = self.title.as_ref().ok_or(Broken)?;
        if let Some(next) = &self.next {
            return Ok(title.clone() + &render(next)?);
        }
        self.next.as_ref().map(|page| page.text()).unwrap_or(Err(Broken))
    }
}
