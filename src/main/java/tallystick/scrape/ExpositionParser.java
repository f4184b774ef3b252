package tallystick.scrape;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ObjDoubleConsumer;
import tallystick.reach.Redaction;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;
import tallystick.scrape.FamilyTypes.Declaration;
import tallystick.scrape.SeriesSlots.Slot;

/**
 * Reads the text exposition formats: Prometheus text 0.0.4 and 1.0.0 leniently, OpenMetrics 1.0
 * more strictly.
 *
 * <p>One parser reads one target's scrapes one after another and is used by one thread at a time.
 * It keeps the lines of the scrape before: a line whose bytes have not changed gives the same
 * {@link Sample} object again, and a line of which only the value changed the same {@link Series}.
 *
 * <p>Refused with the line's number: what is no exposition, a last line without a line feed (the
 * body was cut, and a cut number reads as a smaller one), and in OpenMetrics a missing
 * {@code # EOF}, blank lines, carriage returns, a second TYPE of one family and a counter without
 * {@code _total}. Of two samples of one series the first one counts, as in Prometheus, see
 * {@link #duplicates()}.
 */
public final class ExpositionParser {
  private final Redaction redaction;
  private final FamilyTypes types = new FamilyTypes();
  private final SeriesSlots slots = new SeriesSlots();
  private final TextPool pool = new TextPool();
  private ExpositionLines previous = new ExpositionLines();
  private ExpositionLines current = new ExpositionLines();
  private ArrayList<Sample> samples = new ArrayList<>();
  private ArrayList<Double> times;
  private long scrape;
  private int duplicates;

  private byte[] body;
  private boolean strict;
  private boolean ended;
  private boolean typesDoubtful;
  private int expected;
  private int line;

  /** A parser of what holds no secret. */
  public ExpositionParser() {
    this(Redaction.NONE);
  }

  /** A parser that takes secrets out of names and labels. */
  ExpositionParser(Redaction redaction) {
    this.redaction = redaction;
  }

  /**
   * The samples of one exposition, in its order.
   *
   * @param exposition the whole body, not changed afterwards
   * @param contentType the response's content type; empty if there was none
   * @throws ExpositionException if it is malformed anywhere
   */
  public List<Sample> parse(byte[] exposition, String contentType) throws ExpositionException {
    readAll(exposition, contentType, false);
    return List.copyOf(samples);
  }

  /**
   * Hands over each sample with the timestamp of its line, in seconds since 1970, NaN where it has
   * none. Samples of one series at several times are all kept, as a file of a whole run holds them.
   */
  void parse(byte[] exposition, String contentType, ObjDoubleConsumer<Sample> taker)
      throws ExpositionException {
    readAll(exposition, contentType, true);
    for (int i = 0; i < samples.size(); i++) {
      taker.accept(samples.get(i), times.get(i));
    }
  }

  private void readAll(byte[] exposition, String contentType, boolean keepTimes)
      throws ExpositionException {
    begin(exposition, contentType);
    times = keepTimes ? new ArrayList<>() : null;
    try {
      int at = 0;
      while (at < body.length) {
        line++;
        at = nextLine(at);
      }
      if (strict && !ended) {
        // A body without lines fails at its first.
        throw new ExpositionException(
            Math.max(1, line), "the last line of OpenMetrics must be '# EOF'");
      }
    } catch (ExpositionException e) {
      forget();
      throw e;
    }
    ExpositionLines spare = previous;
    previous = current;
    current = spare;
    if (slots.trim(samples.size())) {
      forget();
    }
  }

  /** Samples of the last exposition that were left out: an earlier line is of the same series. */
  public int duplicates() {
    return duplicates;
  }

  private void begin(byte[] exposition, String contentType) throws ExpositionException {
    String media = contentType.toLowerCase(Locale.ROOT);
    if (media.contains("protobuf")) {
      throw new ExpositionException(0, "the target sent protobuf, ask it for text/plain");
    }
    if (strict != media.contains("openmetrics")) {
      // What one format lets pass the other may refuse, so no spelling is known to be good.
      forget();
      slots.clear();
      strict = !strict;
    }
    body = withLastLineEnded(exposition);
    scrape++;
    samples = new ArrayList<>(samples.size() + 16);
    duplicates = 0;
    ended = false;
    typesDoubtful = false;
    expected = 0;
    line = 0;
    types.clear();
    current.begin(body);
  }

  /** A refused exposition leaves no line behind that a later one could be compared with. */
  private void forget() {
    previous.begin(new byte[0]);
    current.begin(new byte[0]);
  }

  private byte[] withLastLineEnded(byte[] exposition) throws ExpositionException {
    int length = exposition.length;
    if (length == 0 || exposition[length - 1] == '\n') {
      return exposition;
    }
    if (!strict) {
      throw new ExpositionException(
          SampleText.lines(exposition), "the last line has no line feed, so the body was cut");
    }
    // The mark at its end tells that OpenMetrics was not cut.
    byte[] ended = Arrays.copyOf(exposition, length + 1);
    ended[length] = '\n';
    return ended;
  }

  private int nextLine(int at) throws ExpositionException {
    if (ended) {
      throw new ExpositionException(line, "nothing may follow '# EOF'");
    }
    int mismatch = expected < previous.count() ? previous.mismatch(expected, body, at) : 0;
    if (mismatch < 0) {
      return repeat(at);
    }
    Object before = expected < previous.count() ? previous.content(expected) : null;
    int next = lineAfter(at);
    if (before instanceof Slot slot && mismatch >= previous.keyLength(expected)) {
      int valueAt = at + previous.keyLength(expected);
      if (SampleText.mayBeginValue(body[valueAt]) && isTrusted(slot)) {
        expected++;
        readValue(slot, at, valueAt, next);
        return next;
      }
    }
    return readLine(at, next);
  }

  private boolean isTrusted(Slot slot) {
    return !typesDoubtful || slot.series.type() == types.typeOf(slot.series.name());
  }

  /** The line is byte for byte the one of the scrape before. */
  private int repeat(int at) throws ExpositionException {
    Object before = previous.content(expected);
    int next = at + previous.length(expected);
    if (before instanceof Slot slot) {
      boolean isOwnSample = slot.lineIndex == expected && slot.seenInScrape == scrape - 1;
      if (!isOwnSample || !isTrusted(slot)) {
        return readLine(at, next);
      }
      int keyLength = previous.keyLength(expected++);
      keep(slot, slot.sample, slot.time, keyLength, next);
      return next;
    }
    if (before instanceof Declaration declaration) {
      declare(declaration);
    }
    ended = before == ExpositionLines.EOF;
    expected++;
    current.add(before, 0, next);
    return next;
  }

  private int readLine(int at, int next) throws ExpositionException {
    LineCursor cursor = new LineCursor(body, line, at, next - 1, pool);
    if (!strict) {
      cursor.skipBlanks();
    }
    if (cursor.isAtEnd()) {
      if (strict) {
        throw new ExpositionException(line, "a blank line is not OpenMetrics");
      }
      current.add(ExpositionLines.NOTHING, 0, next);
    } else if (cursor.peek() == '#') {
      readComment(cursor, next);
    } else {
      readSample(cursor, at, next);
    }
    return next;
  }

  private void readComment(LineCursor cursor, int next) throws ExpositionException {
    typesDoubtful = true;
    cursor.skip();
    boolean isKeyword = LineCursor.isBlank((byte) cursor.peek());
    cursor.skipBlanks();
    String keyword = isKeyword ? cursor.token() : "";
    Object content = ExpositionLines.NOTHING;
    if (keyword.equals("TYPE")) {
      content = declaration(cursor);
      declare((Declaration) content);
    } else if (strict && keyword.equals("EOF") && cursor.isAtEnd()) {
      ended = true;
      content = ExpositionLines.EOF;
    } else if (strict && !keyword.equals("HELP") && !keyword.equals("UNIT")) {
      throw cursor.fault("HELP, TYPE, UNIT or EOF was expected");
    }
    current.add(content, 0, next);
  }

  private Declaration declaration(LineCursor cursor) throws ExpositionException {
    cursor.skipBlanks();
    String family = cursor.peek() == '"' ? cursor.quoted() : cursor.name(true);
    cursor.skipBlanks();
    String word = cursor.token();
    cursor.skipBlanks();
    if (word.isEmpty() || !cursor.isAtEnd()) {
      throw cursor.fault("a TYPE line is '# TYPE name type'");
    }
    try {
      return new Declaration(family, FamilyTypes.typeOfWord(word));
    } catch (IllegalArgumentException e) {
      throw new ExpositionException(line, e.getMessage());
    }
  }

  private void declare(Declaration declaration) throws ExpositionException {
    if (strict && types.isDeclared(declaration.family())) {
      throw new ExpositionException(line, "a second TYPE of " + declaration.family());
    }
    types.declare(declaration);
  }

  private void readSample(LineCursor cursor, int at, int next) throws ExpositionException {
    int keyStart = cursor.at();
    int keyEnd = SampleText.keyEnd(body, keyStart, next - 1);
    Slot slot = slots.find(body, keyStart, keyEnd);
    if (slot == null || slot.series.type() != types.typeOf(slot.series.name())) {
      Series series = series(cursor);
      if (cursor.at() != keyEnd) {
        throw cursor.fault("a blank was expected after the name");
      }
      slot = slots.add(body, keyStart, keyEnd, series);
    }
    if (slot.seenInScrape == scrape - 1) {
      // Lines that were passed over may have held a TYPE, so what follows asks for its type anew.
      typesDoubtful |= slot.lineIndex != expected;
      expected = slot.lineIndex + 1;
    }
    readValue(slot, at, SampleText.valueStart(body, keyEnd, next - 1, strict, line), next);
  }

  private Series series(LineCursor cursor) throws ExpositionException {
    String name = cursor.peek() == '{' ? "" : cursor.name(true);
    SortedMap<String, String> labels =
        cursor.isBeforeLabels(strict) ? cursor.labels(strict) : new TreeMap<>();
    String quotedName = labels.remove(LineCursor.NAME);
    if (name.isEmpty() == (quotedName == null)) {
      throw new ExpositionException(line, "a sample needs one name, before or inside its braces");
    }
    name = name.isEmpty() ? quotedName : name;
    Series.Type type = types.typeOf(name);
    if (strict && type == Series.Type.COUNTER && !name.endsWith("_total")) {
      throw new ExpositionException(line, "counter " + name + " must end in _total");
    }
    return hidden(name, labels, type);
  }

  private Series hidden(String name, SortedMap<String, String> labels, Series.Type type) {
    labels.replaceAll((label, value) -> redaction.ofName(value));
    return new Series(redaction.ofName(name), labels, type);
  }

  private void readValue(Slot slot, int at, int from, int next) throws ExpositionException {
    int end = next - 1;
    int to = LineCursor.tokenEnd(body, from, end);
    Sample sample = new Sample(slot.series, SampleText.value(body, from, to, line));
    double time = SampleText.timestamp(body, to, end, strict, line, pool);
    keep(slot, sample, time, from - at, next);
  }

  private void keep(Slot slot, Sample sample, double time, int keyLength, int next) {
    boolean isSameTime = times == null || Double.compare(time, slot.time) == 0;
    if (slot.seenInScrape == scrape && isSameTime) {
      duplicates++;
    } else {
      samples.add(sample);
      if (times != null) {
        times.add(time);
      }
      slot.time = time;
      slot.sample = sample;
      slot.seenInScrape = scrape;
      slot.lineIndex = current.count();
    }
    current.add(slot, keyLength, next);
  }

  private int lineAfter(int at) {
    int end = at;
    while (body[end] != '\n') {
      end++;
    }
    return end + 1;
  }
}
