package org.svcmailbox.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.console.Browser.Reply;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.SharedServer;

/** Static files and security headers of the console. */
@ExtendWith(SharedServer.class)
class PagesIT {
  private static final String CSS = "/console/webjars/patternfly/patternfly.min.css";

  private static final Pattern VERSIONED = Pattern.compile("\"(v/[0-9a-f]{16}/[^\"]+)\"");

  private final MailboxServer server;

  PagesIT(MailboxServer server) {
    this.server = server;
  }

  private Browser browser() {
    return new Browser(server.uri());
  }

  @ParameterizedTest
  @CsvSource({
    "/console/, 200",
    "/console/signin, 200",
    "/console/signin.js, 200",
    "/console/docs/, 200",
    CSS + ", 200",
    "/console/nothing, 404",
    "/console/signin/callback, 404",
    "/console/session/capability, 405"
  })
  void everyResponseHasSecurityHeaders(String path, int status) throws IOException {
    Reply reply = browser().get(path).expect(status);
    String policy = reply.header("Content-Security-Policy");
    assertTrue(policy.startsWith("default-src 'none'; script-src 'self'; "), policy);
    assertTrue(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"));
    assertFalse(policy.contains("unsafe") || policy.contains("*"), policy);
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
    assertEquals("no-referrer", reply.header("Referrer-Policy"));
    assertEquals("same-origin", reply.header("Cross-Origin-Opener-Policy"));
    assertEquals("same-origin", reply.header("Cross-Origin-Resource-Policy"));
    assertFalse(reply.header("Cache-Control").isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/console/", "/console/signin", "/console/docs/OPERATIONS.html"})
  void pagesContainNothingThatThePolicyBlocks(String path) throws IOException {
    String page = browser().get(path).text();
    assertFalse(page.matches("(?s).*<script(?![^>]* src=)[^>]*>.*"), page);
    assertFalse(page.matches("(?s).*(<style|\\sstyle=|\\son[a-z]+=|javascript:).*"), page);
  }

  @ParameterizedTest
  @CsvSource({
    "/console/, text/html",
    "/console/signin.js, text/javascript",
    CSS + ", text/css",
    "/console/app/main.js, text/javascript",
    "/console/docs/OPERATIONS.html, text/html",
    "/console/docs/performance.svg, image/svg+xml",
    "/console/webjars/patternfly/assets/fonts/webfonts/fa-solid-900.woff2, font/woff2"
  })
  void filesHaveTheirContentType(String path, String type) throws IOException {
    assertTrue(browser().get(path).expect(200).header("Content-Type").startsWith(type));
  }

  @Test
  void cachedFilesAreRevalidatedByContent() throws IOException {
    Reply first = browser().get(CSS).expect(200);
    assertEquals("no-cache", first.header("Cache-Control"));
    assertEquals("", first.header("Last-Modified"), "the same in every build");
    String tag = first.header("ETag");
    Reply known = browser().with(Map.of("If-None-Match", tag)).get(CSS).expect(304);
    assertEquals(tag, known.header("ETag"));
    assertEquals("", known.text());
    browser().with(Map.of("If-None-Match", "\"other\"")).get(CSS).expect(200);
  }

  @Test
  void scriptsAndStylesAreKeptForGood() throws IOException {
    String page = browser().get("/console/").expect(200).text();
    Matcher named = VERSIONED.matcher(page);
    int files = 0;
    while (named.find()) {
      Reply file = browser().get("/console/" + named.group(1)).expect(200);
      assertEquals("public, max-age=31536000, immutable", file.header("Cache-Control"));
      files++;
    }
    assertTrue(files > 50, page);
    browser().get("/console/v/0123456789abcdef/app/main.js").expect(404);
  }

  @Test
  void clientsThatAcceptGzipGetCompressedFiles() throws IOException {
    Reply packed = browser().with(Map.of("Accept-Encoding", "br, gzip")).get(CSS).expect(200);
    assertEquals("gzip", packed.header("Content-Encoding"));
    assertTrue(Integer.parseInt(packed.header("Content-Length")) < 200_000);
    assertTrue(packed.header("ETag").endsWith("-gzip\""), packed.header("ETag"));
    Reply plain = browser().with(Map.of("Accept-Encoding", "gzip;q=0")).get(CSS).expect(200);
    assertEquals("", plain.header("Content-Encoding"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/WEB-INF/web.xml",
        "/console/web-inf/jboss-web.xml",
        "/console/META-INF/MANIFEST.MF",
        "/console/webjars/",
        "/console/docs/OPERATIONS.md",
        "/console/docs/adr/",
      })
  void otherPathsAreNotFound(String path) throws IOException {
    assertEquals(404, browser().get(path).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/console/webjars/%2e%2e/WEB-INF/web.xml", "/console/%2e%2e/operator.cap"})
  void pathsThatClimbAreRefused(String path) throws IOException {
    assertEquals(400, browser().get(path).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/console", "/console/docs"})
  void aPathWithoutASlashRedirects(String path) throws IOException {
    Reply reply = browser().get(path).expect(302);
    assertTrue(reply.header("Location").endsWith(path + "/"), reply.header("Location"));
  }

  /** An alert names a page below it. */
  @Test
  void theDocumentsAreListed() throws IOException {
    String list = browser().get("/console/docs/").expect(200).text();
    assertTrue(list.contains("<a href=\"OPERATIONS.html\">Operations</a>"), list);
    String runbooks = browser().get("/console/docs/OPERATIONS.html").expect(200).text();
    assertTrue(runbooks.contains(" id=\"not-ready\""), runbooks);
  }
}
