package org.svcmailbox.ejb.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.settings.SettingsException;

class SettingsFileTest {
  @TempDir private Path directory;

  private Map<String, String> read(String text) throws IOException {
    return SettingsFile.read(Files.writeString(directory.resolve("mailbox.toml"), text));
  }

  @Test
  void tablesAndDottedKeysAreTheSame() throws IOException {
    Map<String, String> expected =
        Map.of(
            "mailbox.rendezvous.enabled", "true",
            "mailbox.rendezvous.max_mailboxes", "500",
            "mailbox.rendezvous.tls.cert_path", "/etc/cert.pem");
    assertEquals(
        expected,
        read(
            """
            [mailbox.rendezvous]
            enabled = true
            max_mailboxes = 500
            [mailbox.rendezvous.tls]
            cert_path = "/etc/cert.pem"
            """));
    assertEquals(
        expected,
        read(
            """
            mailbox.rendezvous.enabled = true
            mailbox.rendezvous.max_mailboxes = 500
            mailbox.rendezvous.tls.cert_path = "/etc/cert.pem"
            """));
  }

  @Test
  void anArrayIsItsElementsWithCommas() throws IOException {
    assertEquals(
        Map.of(
            "mailbox.rendezvous.allow", "10.0.0.0/8,2001:db8::/32",
            "mailbox.rendezvous.block", "none"),
        read(
            """
            [mailbox.rendezvous]
            allow = ["10.0.0.0/8", "2001:db8::/32"]
            block = []
            """));
  }

  @Test
  void whatHasNoKeyOfOursIsLeftForTheLoaderToRefuse() throws IOException {
    assertEquals(
        Map.of("mailbox.config_file: rendezvous.enabled", "true", "mailbox.rendezvous.allow[]", ""),
        read(
            """
            rendezvous.enabled = true
            [[mailbox.rendezvous.allow]]
            range = "10.0.0.0/8"
            """));
  }

  @Test
  void aFileThatIsNoTomlOrNotThereIsRefusedByItsName() throws IOException {
    assertTrue(
        assertThrows(SettingsException.class, () -> read("= 1"))
            .violations()
            .get(0)
            .startsWith("MAILBOX_CONFIG_FILE " + directory.resolve("mailbox.toml")));
    Path missing = directory.resolve("missing.toml");
    assertThrows(SettingsException.class, () -> SettingsFile.read(missing));
    Map<String, String> naming = Map.of("MAILBOX_CONFIG_FILE", missing.toString());
    assertThrows(SettingsException.class, () -> SettingsFile.named(naming));
    assertEquals(Map.of(), SettingsFile.named(Map.of()));
  }
}
