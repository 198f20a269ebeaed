package org.svcmailbox.cli;

import java.io.PrintStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar that shows progress; or none. */
final class Progress implements AutoCloseable {
  private static final int WIDTH = 79;
  private static final int REFRESH_MILLIS = 200;

  private final @Nullable Line line;
  private final @Nullable ProgressBar bar;

  private Progress(@Nullable Line line, @Nullable ProgressBar bar) {
    this.line = line;
    this.bar = bar;
  }

  static Progress hidden() {
    return new Progress(null, null);
  }

  /** A one-line bar on a stream, which is cleared at the end. */
  static Progress on(PrintStream stream, String task, long max, String unit) {
    Line line = new Line(stream);
    return new Progress(
        line,
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(max)
            .setUnit(" " + unit, 1)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(REFRESH_MILLIS)
            .setConsumer(line)
            .build());
  }

  void to(long value) {
    if (bar != null) {
      bar.stepTo(value);
    }
  }

  @Override
  public void close() {
    if (bar != null && line != null) {
      bar.close();
      line.clear();
    }
  }

  /** The library's own consumer would open the terminal to find its width. */
  private record Line(PrintStream stream) implements ProgressBarConsumer {
    @Override
    public int getMaxRenderedLength() {
      return WIDTH;
    }

    @Override
    public void accept(String rendered) {
      stream.print("\r" + rendered);
      stream.flush();
    }

    @Override
    public void clear() {
      accept(" ".repeat(WIDTH) + "\r");
    }

    /** The library does not call it for a bar that ends before its first refresh. */
    @Override
    public void close() {}
  }
}
