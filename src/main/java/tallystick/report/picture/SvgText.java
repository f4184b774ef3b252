package tallystick.report.picture;

import java.util.Locale;
import tallystick.report.markup.Markup;
import tallystick.scenario.Formatted;

/** Words inside a picture. */
public final class SvgText {
  /** The colour of what explains a picture. */
  public static final String SOFT = "var(--soft)";

  private SvgText() {}

  /** Where the words stand: their begin, middle or end. */
  public enum Anchor {
    START,
    MIDDLE,
    END
  }

  /** Writes words at a point of the picture, in a colour of the page. */
  public static void put(
      Markup html, double x, double y, Anchor anchor, String colour, String words) {
    html.raw(Formatted.of(
            "<text x=\"%s\" y=\"%s\" font-size=\"12\" text-anchor=\"%s\" fill=\"%s\">",
            Scale.css(x), Scale.css(y), anchor.name().toLowerCase(Locale.ROOT), colour))
        .text(words)
        .raw("</text>\n");
  }
}
