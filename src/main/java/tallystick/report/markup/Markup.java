package tallystick.report.markup;

import java.util.Optional;
import tallystick.answer.words.ProgramName;
import tallystick.scenario.PlainText;

/** HTML being written. Every text passes {@link #escaped}; only literals pass {@link #raw}. */
public final class Markup {
  private final StringBuilder out = new StringBuilder();

  /** Text as it may stand in an element or a quoted attribute. */
  public static String escaped(String text) {
    return PlainText.printable(ProgramName.in(text))
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Markup of our own. */
  public Markup raw(String markup) {
    out.append(markup);
    return this;
  }

  public Markup text(String text) {
    out.append(escaped(text));
    return this;
  }

  /** One element with text in it; {@code css} is the class, empty for none. */
  public Markup element(String tag, String css, String text) {
    return open(tag, css).text(text).close(tag);
  }

  /** A word that a page explains: what it means where one points at it, and a link to that. */
  public Markup term(String word) {
    return Definitions.meaning(word)
        .or(() -> Definitions.meaning(Definitions.quantity(word)))
        .map(
            one ->
                raw("<a class=\"term\" href=\"#" + one.anchor() + "\" title=\"")
                    .text(one.text())
                    .raw("\">")
                    .text(word)
                    .raw("</a>"))
        .orElseGet(() -> text(word));
  }

  public Markup open(String tag, String css) {
    out.append('<').append(tag);
    if (!css.isEmpty()) {
      out.append(" class=\"").append(escaped(css)).append('"');
    }
    out.append('>');
    return this;
  }

  public Markup close(String tag) {
    out.append("</").append(tag).append(">\n");
    return this;
  }

  /** The name of a metric, which may break after an underscore. */
  public Markup metric(String name) {
    return raw("<code>").raw(escaped(name).replace("_", "_<wbr>")).raw("</code>");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
