package org.svcmailbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flags over variables over the configuration file. */
class ConfigTest extends CliTest {
  private static final String NOWHERE = "http://127.0.0.1:1";

  ConfigTest() throws IOException {}

  private void config(String text) throws IOException {
    Path file = directory.resolve(".config/svcmailbox/config.toml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void unset() {
    environment.remove("MAILBOX_URL");
    environment.remove("MAILBOX_TOKEN_FILE");
  }

  private String presented() {
    return service.request("GET /v1/topics").token();
  }

  @Test
  void theFileIsUsedWhereNothingElseIsSaid() throws IOException {
    unset();
    config("url = \"" + service.url() + "\"\ntoken_file = \"../../file.cap\"\n");
    write("file.cap", "from-file");
    Result result = run("topics");
    assertEquals(0, result.code(), result::err);
    assertEquals("from-file", presented());
  }

  @Test
  void variablesOverrideTheFile() throws IOException {
    config("url = \"" + NOWHERE + "\"\ntoken_file = \"none\"\n");
    assertEquals(0, run("topics").code());
    assertEquals(CAPABILITY, presented());
  }

  @Test
  void emptyVariablesAreUnset() throws IOException {
    environment.put("MAILBOX_URL", "");
    environment.put("MAILBOX_TOKEN_FILE", "");
    write("file.cap", "from-file");
    config(
        "url = \"" + service.url() + "\"\ntoken_file = \"" + directory.resolve("file.cap") + "\"");
    assertEquals(0, run("topics").code());
    assertEquals("from-file", presented());
  }

  @Test
  void flagsOverrideVariables() throws IOException {
    environment.put("MAILBOX_URL", NOWHERE);
    environment.put("MAILBOX_TOKEN_FILE", "none");
    Path token = write("flag.cap", "from-flag");
    assertEquals(0, run("topics", "--url", service.url(), "--token-file", token.toString()).code());
    assertEquals("from-flag", presented());
  }

  @Test
  void theDirectoryIsXdgs() throws IOException {
    unset();
    config("unknown = 1");
    environment.put("XDG_CONFIG_HOME", directory.resolve("xdg").toString());
    Files.createDirectories(directory.resolve("xdg/svcmailbox"));
    write(
        "xdg/svcmailbox/config.toml",
        "url = \"" + service.url() + "\"\ntoken_file = \"../../token.cap\"\n");
    assertEquals(0, run("topics").code());

    environment.put("XDG_CONFIG_HOME", "relative");
    assertTrue(run("topics").err().contains("unknown key"), "a relative one is ignored");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "urls = \"http://127.0.0.1\"",
        "url = 7",
        "token = \"" + CAPABILITY + "\"",
        "token_file = \"" + CAPABILITY,
        CAPABILITY,
        "allow_plain_http = \"yes\"",
        "[svcmailbox]\nurl = \"http://127.0.0.1\""
      })
  void aFileWithSomethingElseInItIsRefused(String text) throws IOException {
    config(text);
    Result result = run("topics");
    assertEquals(2, result.code());
    assertTrue(result.err().contains("config.toml"), result.err());
    assertFalse(result.err().contains(CAPABILITY), result.err());
    assertEquals(0, service.requests().size());
  }

  @Test
  void whatIsMissingIsNamed() {
    unset();
    assertTrue(run("topics").err().contains("--url, $MAILBOX_URL, or url in "));
    environment.put("MAILBOX_URL", service.url());
    Result result = run("topics");
    assertEquals(2, result.code());
    assertTrue(result.err().contains("$MAILBOX_TOKEN_FILE"), result.err());
  }

  @Test
  void aTokenFileThatIsNotThereIsNamed() {
    environment.put("MAILBOX_TOKEN_FILE", "/no/such/file");
    Result result = run("topics");
    assertEquals(2, result.code());
    assertTrue(result.err().contains("/no/such/file"), result.err());
  }

  @Test
  void aTokenThatIsNoneIsRefusedWithoutBeingShown() throws IOException {
    environment.put("MAILBOX_TOKEN_FILE", write("bad.cap", "two secret words").toString());
    Result result = run("topics");
    assertEquals(3, result.code());
    assertFalse(result.err().contains("secret"), result.err());
    assertEquals(0, service.requests().size());
  }

  @Test
  void plainHttpToAnotherMachineNeedsToBeAllowed() throws IOException {
    environment.put("MAILBOX_URL", "http://mailbox.invalid");
    assertEquals(2, run("topics").code());
    // The name does not resolve.
    assertEquals(4, run("topics", "--timeout", "100ms", "--allow-plain-http").code());
    config("allow_plain_http = true");
    assertEquals(4, run("topics", "--timeout", "100ms").code());
  }

  @Test
  void aServiceThatIsAwayIsUnavailable() {
    environment.put("MAILBOX_URL", NOWHERE);
    Result result = run("topics", "--timeout", "100ms");
    assertEquals(4, result.code());
    assertTrue(result.err().startsWith("mailbox: "), result.err());
  }

  @Test
  void failuresNameTheService() {
    service.nextProblem("GET /v1/topics/none", 404, "E_NOT_FOUND", ",\"detail\":\"no topic\"");
    String refused = run("topics", "none").err();
    assertEquals(
        "mailbox: call "
            + service.url()
            + "/v1/topics/none was answered 404 E_NOT_FOUND: no topic\n",
        refused);
    service.nextProblem("POST /v1/send", 403, "E_DENIED", ",\"detail\":\"no right\"");
    String denied = run("send", "orders").err();
    assertTrue(denied.contains(service.url() + "/v1/send (orders) was answered 403"), denied);
    service.close();
    Result away = run("topics", "--timeout", "200ms");
    assertEquals(4, away.code());
    assertTrue(away.err().contains("GET " + service.url() + "/v1/topics"), away.err());
  }
}
