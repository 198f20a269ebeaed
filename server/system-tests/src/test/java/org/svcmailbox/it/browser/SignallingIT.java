package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.rendezvous.OpenDoor;
import org.svcmailbox.it.server.MailboxServer;

/** The example page, opened twice: its two peers find each other through the rendezvous door. */
@BrowserTest
@OpenDoor
@ResourceLock(OpenDoor.WAITERS)
@Tag("nightly")
class SignallingIT {
  private static final Path PAGE =
      Path.of(System.getProperty("mailbox.examples"), "webrtc-signalling");
  private static final Map<String, String> TYPES =
      Map.of("html", "text/html", "js", "text/javascript");

  private static HttpServer pages;

  @BeforeAll
  static void serve() throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), OpenDoor.PAGE_PORT);
    pages = HttpServer.create(address, 0);
    pages.createContext("/", SignallingIT::file);
    pages.start();
  }

  @AfterAll
  static void stop() {
    pages.stop(0);
  }

  private static void file(HttpExchange exchange) throws IOException {
    String name = exchange.getRequestURI().getPath().substring(1);
    Path file = PAGE.resolve(name.isEmpty() ? "index.html" : name);
    boolean isThere = Files.isRegularFile(file);
    byte[] content = isThere ? Files.readAllBytes(file) : new byte[0];
    String extension = file.toString().substring(file.toString().lastIndexOf('.') + 1);
    exchange.getResponseHeaders().set("Content-Type", TYPES.getOrDefault(extension, "text/plain"));
    exchange.sendResponseHeaders(isThere ? 200 : 404, content.length == 0 ? -1 : content.length);
    exchange.getResponseBody().write(content);
    exchange.close();
  }

  @Test
  void twoPagesTalkToEachOther(Browser browser, MailboxServer server) {
    String door = "http://127.0.0.1:" + server.port(OpenDoor.PORT);
    String start =
        "http://127.0.0.1:%d/#door=%s&token=%s".formatted(OpenDoor.PAGE_PORT, door, OpenDoor.TOKEN);
    try (BrowserContext one = browser.newContext();
        BrowserContext other = browser.newContext()) {
      Page host = one.newPage();
      host.navigate(start);
      assertThat(host.locator("#link")).hasAttribute("href", Pattern.compile("key="));
      Page guest = other.newPage();
      guest.navigate(String.valueOf(host.evaluate("document.getElementById('link').href")));
      assertThat(host.locator("#state")).hasText("connected");
      assertThat(guest.locator("#state")).hasText("connected");
      write(guest, "two apples");
      assertThat(host.locator("#log")).containsText("They: two apples");
      write(host, "received");
      assertThat(guest.locator("#log")).containsText("They: received");
    }
  }

  private static void write(Page page, String text) {
    page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true)).fill(text);
    page.getByText("Send", new Page.GetByTextOptions().setExact(true)).click();
  }
}
