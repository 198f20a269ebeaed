package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.commons.codec.digest.Blake3;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks without a service. */
class VerifyTest extends CliTest {
  VerifyTest() throws IOException {}

  @BeforeEach
  void forgetTheService() {
    environment.clear();
  }

  /** Entries from 1, each linked to the one before. */
  private static String ledger(int entries) {
    StringBuilder lines = new StringBuilder();
    byte[] link = new byte[32];
    for (int seq = 1; seq <= entries; seq++) {
      byte[] chain = Blake3.hash(new byte[] {(byte) seq});
      String id = ID.substring(0, 25) + seq;
      ByteArrayOutputStream linked = new ByteArrayOutputStream();
      linked.writeBytes("mailbox.ledger.v1\0".getBytes(UTF_8));
      linked.writeBytes(link);
      linked.writeBytes(chain);
      linked.writeBytes(ByteBuffer.allocate(4).putInt(id.length()).array());
      linked.writeBytes(id.getBytes(UTF_8));
      link = Blake3.hash(linked.toByteArray());
      lines.append(
          "{\"seq\":%d,\"msg_id\":\"%s\",\"hash_chain\":\"%s\",\"link\":\"%s\"}%n"
              .formatted(seq, id, text(chain), text(link)));
    }
    return lines.toString();
  }

  private static String text(byte[] digest) {
    return "b3:" + HexFormat.of().formatHex(digest);
  }

  @Test
  void aLedgerIsIntactAndNamesAnAnchor() throws IOException {
    input(ledger(5));
    Result result = run("verify", "ledger");
    assertEquals(0, result.code(), result::toString);
    JsonNode line = result.line();
    assertEquals(1, line.path("first").asInt());
    assertEquals(5, line.path("last").asInt());
    assertEquals("false", line.path("anchored").toString());

    String anchor = line.path("anchor").asText();
    String file = write("ledger", ledger(6)).toString();
    assertEquals(
        "true",
        run("verify", "ledger", file, "--anchor", anchor).line().path("anchored").toString());
  }

  @Test
  void aLedgerThatWasRewrittenDoesNotMeetItsAnchor() {
    input(ledger(5));
    String anchor = run("verify", "ledger").line().path("anchor").asText();
    input(ledger(5).lines().skip(1).map(line -> line + "\n").reduce("", String::concat));
    assertEquals(0, run("verify", "ledger").code(), "it may begin anywhere");
    input(ledger(4));
    Result result = run("verify", "ledger", "--anchor", anchor);
    assertEquals(5, result.code());
    assertEquals(5, result.line().path("broken_at").asInt());
  }

  /** Wherever a bit is turned. */
  @Test
  void everyAlteredByteOfALedgerIsNoticed() {
    byte[] ledger = ledger(2).getBytes(ISO_8859_1);
    for (int at = 0; at < ledger.length - 1; at++) {
      byte[] altered = ledger.clone();
      altered[at] ^= 1;
      in = new ByteArrayInputStream(altered);
      String text = new String(altered, ISO_8859_1);
      Result result = run("verify", "ledger");
      assertEquals(5, result.code(), () -> text + result);
      assertTrue(result.line().path("why").isTextual(), () -> text + result);
    }
  }

  /** Readers that take the first field, or round a number, would see another ledger. */
  @ParameterizedTest
  @ValueSource(strings = {"\"seq\":9,\"seq\":1", "\"seq\":1.5", "\"seq\":18446744073709551617"})
  void aLineThatCanBeReadInTwoWaysIsNotIntact(String seq) {
    input(ledger(1).replace("\"seq\":1", seq));
    assertEquals(5, run("verify", "ledger").code());
  }

  @Test
  void aMessageIsIntactUnlessAByteIsAltered() {
    String message = FakeService.leased("orders", "m0", "two apples").toString();
    input(message + "\n\n" + message + "\n");
    Result result = run("verify", "envelope");
    assertEquals(0, result.code());
    assertEquals(
        "{\"line\":3,\"msg_id\":\"m0\",\"intact\":true,\"why\":null}",
        result.lines().get(1).toString());

    for (String field : new String[] {"topic", "ts", "idem_key", "payload_hash", "payload"}) {
      String altered = message.replaceFirst("(\"" + field + "\":\"[^\"]*)[^\"=]", "$1!");
      input(message + "\n" + altered);
      Result broken = run("verify", "envelope");
      assertEquals(5, broken.code(), altered);
      assertTrue(broken.lines().get(0).path("intact").asBoolean());
      assertEquals("false", broken.lines().get(1).path("intact").toString(), altered);
    }
  }

  @Test
  void whatIsNoMessageIsNotIntact() {
    for (String line : new String[] {"none", "[]", "{}", "{\"attrs\":{\"a\":1}}", "{\"a\":1}{}"}) {
      input(line);
      assertEquals(5, run("verify", "envelope").code(), line);
      input(line);
      assertEquals(5, run("verify", "ledger").code(), line);
    }
  }

  @Test
  void nothingIsNotIntactEither() {
    assertEquals(6, run("verify", "envelope").code());
    assertEquals(6, run("verify", "ledger").code());
  }

  @Test
  void aFileThatIsNotThereIsAMistake() {
    assertEquals(2, run("verify", "ledger", "no-such-file").code());
    assertEquals(2, run("verify", "envelope", directory.toString()).code());
  }
}
