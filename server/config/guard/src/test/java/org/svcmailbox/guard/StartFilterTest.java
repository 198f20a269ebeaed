package org.svcmailbox.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StartFilterTest {
  private static final String WHY = "The database \"a\" does not answer. Start it";
  private final Throwable explained =
      new IllegalStateException("WFLYEE0042", new IllegalStateException(WHY));
  private final Throwable other =
      new IllegalStateException("WFLYEE0042", new NoClassDefFoundError("org/example/Missing"));

  private @Nullable String said;
  private final StartFilter filter = new StartFilter(() -> said);

  private static LogRecord line(
      String format, @Nullable Object argument, @Nullable Throwable thrown) {
    LogRecord line = new LogRecord(Level.SEVERE, format);
    line.setThrown(thrown);
    line.setParameters(new Object[] {argument});
    return line;
  }

  private static LogRecord failed(String service, Throwable thrown) {
    return line("MSC000001: Failed to start %s", "service " + service, thrown);
  }

  @Test
  void aFailureThatTheApplicationHasExplainedIsNotRepeated() {
    LogRecord stack = failed("mailbox.ear.StoreBean.START", explained);
    LogRecord text =
        line(
            "WFLYCTL0013: Operation (%s) failed: %s",
            "{\"a\" => \"Caused by: " + WHY.replace("\"", "\\\"") + "\"}", null);
    assertTrue(filter.isLoggable(stack), "nobody has said why");
    assertTrue(filter.isLoggable(text), "nobody has said why");
    said = WHY;
    assertFalse(filter.isLoggable(stack));
    assertFalse(filter.isLoggable(text));
  }

  @Test
  void anotherFailureKeepsItsStack() {
    said = WHY;
    LogRecord line = failed("mailbox.ear.GrpcBean.START", other);
    assertTrue(filter.isLoggable(line));
    assertSame(other, line.getThrown());
  }

  @Test
  void theReportOfFailedServicesIsDroppedOnlyIfAllAreTheApplications() {
    String ours = "      service jboss.deployment.subunit.\"mailbox.ear\".x.START: WFLYEE0042\n";
    String others = "      service org.example.other: Permission denied\n";
    String head = "WFLYCTL0183: Service status report%n%s";
    assertTrue(filter.isLoggable(line(head, ours, null)));
    said = WHY;
    assertFalse(filter.isLoggable(line(head, ours + ours, null)));
    assertTrue(filter.isLoggable(line(head, ours + others, null)));
  }

  @Test
  void aFileThatCannotBeWrittenIsOneLine() {
    LogRecord line = line("AMQ144011: Critical IO Exception happened", null, other);
    assertTrue(new OneLineFilter().isLoggable(line));
    assertEquals(0, line.getThrown().getStackTrace().length);
    assertEquals(
        "java.lang.IllegalStateException: WFLYEE0042: java.lang.NoClassDefFoundError:"
            + " org/example/Missing",
        String.valueOf(line.getThrown()));
  }
}
