package tallystick.report.writing;

import java.util.ArrayList;
import java.util.List;
import tallystick.answer.Document;
import tallystick.report.markup.Markup;
import tallystick.report.markup.PageResource;

/**
 * A document as one file that opens offline and asks nothing of the network. Readable without its
 * script, which only adds a read-out to the timeline.
 */
public final class HtmlPage {
  private HtmlPage() {}

  /** The page; {@code footer} stands at its end. */
  public static String of(Document document, String footer) {
    Markup html = new Markup();
    List<String> title = new ArrayList<>(List.of(document.title()));
    document.marks().stream().limit(1).forEach(mark -> title.add(mark.word()));
    head(html, document.title(), String.join(" · ", title));
    html.raw("<body>\n<main>\n");
    HtmlWriter.write(html, document, PageResource.text("mark.svg"));
    html.raw("</main>\n")
        .element("footer", "", footer)
        .raw("<script>\n" + PageResource.text("page.js") + "</script>\n</body>\n</html>\n");
    return html.toString();
  }

  /** How a page says what it is, so that it is known again. */
  public static String generator(String title) {
    return "<meta name=\"generator\" content=\"Tallystick: " + Markup.escaped(title) + "\">";
  }

  private static void head(Markup html, String name, String title) {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .raw("<meta name=\"color-scheme\" content=\"light dark\">\n")
        // Nothing is ever fetched, whatever a label or a model name holds.
        .raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
        .raw(" style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n")
        .raw(generator(name) + "\n")
        .raw("<link rel=\"icon\" href=\"data:,\">\n")
        .element("title", "", title)
        .raw("<style>\n" + PageResource.text("page.css") + "</style>\n</head>\n");
  }
}
