package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;

/** The overview of a service that has not been used yet. */
@Tag("nightly")
@ExtendWith(SharedBrowser.class)
@Execution(ExecutionMode.SAME_THREAD)
class FirstStepsIT {
  private static final List<String> STEPS = List.of("mint", "send", "receive", "acknowledge");

  private static MailboxServer server;

  @BeforeAll
  static void start() {
    server = MailboxServer.start("first-steps", Map.of());
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  private static void assertDone(Tab tab, int steps) {
    for (int i = 0; i < STEPS.size(); i++) {
      Locator done = tab.page().locator("li[data-step=" + STEPS.get(i) + "] .checklist-done");
      if (i < steps) {
        assertThat(done).isVisible();
      } else {
        assertThat(done).isHidden();
      }
    }
  }

  /** The capability that the service makes for the operator is no step. */
  @Test
  void eachStepIsTickedWhenItIsDone(Browser browser) throws IOException {
    MailboxClient client = new MailboxClient(server.target());
    try (Tab tab = Tab.open(browser, server).as(Person.operator(server))) {
      tab.go("");
      assertThat(tab.heading("First steps")).isVisible();
      assertThat(tab.page().locator("section.worst")).isHidden();
      for (ColorScheme colors : List.of(ColorScheme.DARK, ColorScheme.LIGHT)) {
        Axe.check(tab.prefer(colors).page(), "first steps");
      }
      tab.page().waitForResponse("**/v1/capabilities*", () -> {});
      assertDone(tab, 0);
      MailboxClient worker =
          client.with(client.mintNamed("first", "ops = send,recv,ack", "topic = orders"));
      assertDone(tab, 1);
      worker.send("orders", "first-message", new byte[] {1}).expect(200);
      assertDone(tab, 2);
      Message message =
          worker.recv(Fields.of("topic", "orders").with("wait_ms", 5_000)).expect(200).message();
      assertDone(tab, 3);
      worker.ack(message).expect(200);
      assertDone(tab, 4);
      assertThat(tab.page().locator("section.worst")).isVisible();
      tab.reload();
      assertThat(tab.page().locator("section.worst")).isVisible();
      assertThat(tab.heading("First steps")).isHidden();
    }
  }
}
