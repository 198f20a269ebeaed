package org.svcmailbox.ejb.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;

/**
 * Ends the process when the broker could not write one of its files. The broker swallows the error
 * for some records and stops itself in the background, so what it holds in memory may not be on
 * disk. This runs on the thread that failed to write, before the broker goes on, so nothing that
 * depends on the lost write is answered.
 */
final class FailStop {
  /** An input/output error, by the convention of {@code sysexits.h}. */
  static final int EXIT_CODE = 74;

  private static final Logger LOG = System.getLogger(FailStop.class.getName());

  /** How long to wait for the log, which may be on the same disk. */
  private static final Duration TO_LOG = Duration.ofSeconds(1);

  private final IntConsumer halt;
  private volatile boolean failed;

  /**
   * @param halt ends the process at once with the given exit code, without shutdown hooks
   */
  FailStop(IntConsumer halt) {
    this.halt = halt;
  }

  /** Does not return; a second failure waits for the end of the process. */
  synchronized void diskFailed(String what) {
    failed = true;
    Thread logger =
        new Thread(
            () ->
                LOG.log(
                    Level.ERROR,
                    "The broker cannot write its files: {0}. The process ends with exit code {1};"
                        + " everything answered before is on disk",
                    what,
                    EXIT_CODE),
            "mailbox-fail-stop");
    logger.setDaemon(true);
    logger.start();
    try {
      logger.join(TO_LOG.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    halt.accept(EXIT_CODE);
  }

  /** Down from the moment of the failure. */
  Vital vital() {
    return failed
        ? Vital.down(Part.JOURNAL, "a file of the broker could not be written")
        : Vital.up(Part.JOURNAL);
  }
}
