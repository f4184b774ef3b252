package tallystick.runrecord;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Holds the lines of a block, in their order, against their {@link Seal}s. One thread. */
final class LineSums {
  private final LineBlocks.Block block;
  private final CRC32C sum = new CRC32C();
  private final List<Changed> changed = new ArrayList<>();
  private byte[] lead;
  private boolean isKnown;
  private boolean hasSeal;
  private int begin;
  private long firstLine = 1;

  LineSums(LineBlocks.Block block) {
    this.block = block;
    this.isKnown = block.lead().isPresent();
    this.lead = block.lead().orElse(new byte[0]);
  }

  /**
   * Lines that are not as they were written: one of them, or what stood before them.
   *
   * @param first counted from 1
   * @param last the line whose checksum does not hold, or that has none
   */
  record Changed(long first, long last) {
    Changed after(long lines) {
      return new Changed(first + lines, last + lines);
    }
  }

  /** The next line. */
  void add(long number, int from, int end) {
    int digits = Seal.digits(block.bytes(), from, end);
    if (digits < 0) {
      return;
    }
    if (isKnown) {
      sum.reset();
      sum.update(lead);
      sum.update(block.bytes(), begin, digits - begin);
      if (!Seal.text(sum).equals(Seal.text(block.bytes(), digits))) {
        changed.add(new Changed(firstLine, number));
      }
    }
    lead = new byte[0];
    begin = digits;
    firstLine = number + 1;
    isKnown = true;
    hasSeal = true;
  }

  /** What was found, once all lines were added. Where others have a checksum, none is without. */
  List<Changed> changed(long lines) {
    if (hasSeal && !block.isLast() && firstLine <= lines) {
      changed.add(new Changed(firstLine, lines));
    }
    return changed;
  }
}
