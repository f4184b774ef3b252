package tallystick.answer;

/** What a page knows how to draw: a chart's figures, or a drawing of the page's own. */
public interface Drawing {}
