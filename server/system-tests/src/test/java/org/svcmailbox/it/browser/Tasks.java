package org.svcmailbox.it.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tasks of a page's main thread, from the browser's own trace. CPU time counts, because other
 * processes of the machine lengthen every task on the clock.
 *
 * @param longest CPU time of the longest task
 * @param onTheClock the longest one by the clock
 * @param all CPU time of all tasks
 */
record Tasks(Duration longest, Duration onTheClock, Duration all) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Each task of a thread's loop is one event of this category. */
  private static final String CATEGORY = "toplevel";

  private static final String TASK = "ThreadControllerImpl::RunTask";
  private static final String MAIN_THREAD = "CrRendererMain";

  /** Runs an action while the browser traces. No other tab may be busy meanwhile. */
  static Tasks during(Browser browser, Page page, Runnable action) {
    browser.startTracing(page, new Browser.StartTracingOptions().setCategories(List.of(CATEGORY)));
    byte[] trace;
    try {
      action.run();
    } finally {
      trace = browser.stopTracing();
    }
    try {
      return of(MAPPER.readTree(trace).path("traceEvents"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Tasks of(JsonNode events) {
    Set<String> mainThreads = new HashSet<>();
    for (JsonNode event : events) {
      if (event.path("name").asText().equals("thread_name")
          && event.at("/args/name").asText().equals(MAIN_THREAD)) {
        mainThreads.add(thread(event));
      }
    }
    long longest = 0;
    long onTheClock = 0;
    long all = 0;
    for (JsonNode event : events) {
      if (event.path("name").asText().equals(TASK) && mainThreads.contains(thread(event))) {
        longest = Math.max(longest, event.path("tdur").asLong());
        onTheClock = Math.max(onTheClock, event.path("dur").asLong());
        all += event.path("tdur").asLong();
      }
    }
    if (all == 0) {
      throw new AssertionError("the trace has no CPU times of a page");
    }
    return new Tasks(micros(longest), micros(onTheClock), micros(all));
  }

  private static String thread(JsonNode event) {
    return event.path("pid").asText() + "/" + event.path("tid").asText();
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1_000);
  }

  @Override
  public String toString() {
    return "longest task %d ms of CPU (%d on the clock), all tasks %d ms"
        .formatted(longest.toMillis(), onTheClock.toMillis(), all.toMillis());
  }
}
