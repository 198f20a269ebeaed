package org.svcmailbox.guard;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drops what the server logs of a failed start once the application has explained the failure in a
 * line. The server would repeat it with pages of stack traces. Any other failure passes whole.
 */
public final class StartFilter implements Filter {
  /** The system property with the line that the application has logged. */
  static final String FAILURE = "org.svcmailbox.application.failure";

  /** The report of all services that failed, which names no causes. */
  private static final String REPORT = "WFLYCTL0183";

  private final Supplier<@Nullable String> said;

  /** The filter that the server's configuration names. */
  public StartFilter() {
    this(() -> System.getProperty(FAILURE));
  }

  /**
   * @param said the value of {@link #FAILURE}
   */
  StartFilter(Supplier<@Nullable String> said) {
    this.said = said;
  }

  @Override
  public boolean isLoggable(LogRecord line) {
    String why = said.get();
    return why == null || !repeats(why, text(line), line.getThrown());
  }

  private static boolean repeats(String said, String text, @Nullable Throwable thrown) {
    if (text.contains(REPORT)) {
      return text.lines().filter(line -> line.contains(" service ")).allMatch(StartFilter::isOurs);
    }
    return isIn(said, text) || isIn(said, OneLine.text(thrown));
  }

  private static boolean isOurs(String service) {
    return service.contains("\"mailbox.ear\"");
  }

  /** The server quotes what it repeats. */
  private static boolean isIn(String said, String text) {
    return text.replace("\\", "").contains(said.replace("\\", ""));
  }

  /** The format and its arguments, whichever kind of format it is. */
  private static String text(LogRecord line) {
    Object[] arguments = line.getParameters();
    return arguments == null
        ? String.valueOf(line.getMessage())
        : line.getMessage()
            + Arrays.stream(arguments)
                .map(String::valueOf)
                .collect(Collectors.joining(" ", " ", ""));
  }
}
