package tallystick.report.picture;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Markup;

/**
 * The phases above the charts, each name whole: names that would run into each other stand one
 * below the other. Where there is no room beside each other at all, the page lists them.
 */
final class PhaseStrip {
  // Part of the axis that one letter takes on a page of usual width.
  private static final double LETTER = 0.009;
  private static final double PADDING = 0.012; // of the strip's width
  private static final int MOST_LANES = 3; // layout

  private final Scale time;
  private final List<Double> ends = new ArrayList<>();

  private PhaseStrip(Scale time) {
    this.time = time;
  }

  /** Writes the strip and the list; nothing for one phase, which is the whole window. */
  static void write(Markup html, List<PhaseAnalysis> phases, Scale time) {
    if (phases.size() < 2) {
      return;
    }
    PhaseStrip strip = new PhaseStrip(time);
    List<Integer> lanes = phases.stream().map(strip::lane).toList();
    boolean fits = lanes.stream().allMatch(lane -> lane < MOST_LANES);
    html.raw("<div class=\"phases\" aria-hidden=\"true\"");
    html.raw(" style=\"height:" + (fits ? 20 * (1 + strip.ends.size()) - 20 : 20) + "px\">");
    for (int i = 0; i < phases.size(); i++) {
      strip.phase(html, phases.get(i), fits ? lanes.get(i) : 0, fits ? "" : "" + (i + 1));
    }
    html.raw("</div>\n<ol class=\"phase-list" + (fits ? " spare" : "") + "\">");
    for (PhaseAnalysis phase : phases) {
      html.element("li", "", phase.phase() + ", " + seconds(phase.startSeconds()) + " to "
          + seconds(phase.endSeconds()) + " s");
    }
    html.raw("</ol>\n");
  }

  private static String seconds(double seconds) {
    return Numbers.count(Math.rint(seconds * 10) / 10);
  }

  // The first lane whose last name has ended.
  private int lane(PhaseAnalysis phase) {
    double from = time.position(phase.startSeconds());
    double to = from + PADDING + LETTER * phase.phase().length();
    for (int lane = 0; lane < ends.size(); lane++) {
      if (ends.get(lane) <= from) {
        ends.set(lane, to);
        return lane;
      }
    }
    ends.add(to);
    return ends.size() - 1;
  }

  private void phase(Markup html, PhaseAnalysis phase, int lane, String number) {
    html.raw("<span data-at=\"" + phase.startSeconds() + "\" style=\"")
        .raw(time.left(phase.startSeconds()) + ";top:" + 20 * lane + "px\" title=\"")
        .text(phase.phase())
        .raw("\">")
        .text(number.isEmpty() ? phase.phase() : number)
        .raw("</span>");
  }
}
