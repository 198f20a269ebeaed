package org.svcmailbox.undertow.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.api.ThreadSetupHandler.Action;
import java.io.IOException;
import org.jboss.logging.MDC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** State that stays with a thread; its log lines are seen through the endpoints. */
class LogContextTest {
  private final LogContext log = new LogContext();
  private final HttpServerExchange exchange = new HttpServerExchange(null);

  @AfterEach
  void clear() {
    MDC.clear();
  }

  @Test
  void anIdIsThereForAsLongAsTheThreadWorksForTheRequest() throws Exception {
    Action<String, String> action = log.create((e, what) -> what + MDC.get(LogContext.KEY));
    assertEquals("no application yet: ", action.call(exchange, "no application yet: "));
    assertNull(MDC.get(LogContext.KEY));
  }

  @Test
  void workThatFailsLeavesNothingBehind() {
    Action<String, String> action =
        log.create(
            (e, what) -> {
              throw new IOException(what);
            });
    assertThrows(IOException.class, () -> action.call(exchange, "gone"));
    assertNull(MDC.get(LogContext.KEY));
  }

  @Test
  void whatWasThereBeforeIsThereAfterwards() throws Exception {
    Object outer = "outer";
    MDC.put(LogContext.KEY, outer);
    log.create((e, what) -> what).call(exchange, "inner");
    assertSame(outer, MDC.get(LogContext.KEY));
  }

  @Test
  void workForNoRequestHasNoId() throws Exception {
    Action<Object, String> action = log.create((e, what) -> MDC.get(LogContext.KEY));
    assertNull(action.call(null, "the start"));
  }
}
