package org.svcmailbox.client.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.verify.LedgerCheck.BrokenAt;
import org.svcmailbox.client.verify.LedgerCheck.Intact;

/** Envelopes and ledgers, by vectors that were made with noble-hashes. */
class VerifyTest {
  private static final String OTHER =
      "b3:0000000000000000000000000000000000000000000000000000000000000001";

  private final List<ExportedEntry> ledger = new ArrayList<>();

  VerifyTest() throws IOException {
    for (JsonNode entry : golden().path("ledger")) {
      ledger.add(
          new ExportedEntry(
              entry.path("seq").asLong(),
              entry.path("msg_id").asText(),
              entry.path("hash_chain").asText(),
              entry.path("link").asText()));
    }
    assertEquals(5, ledger.size());
  }

  private static JsonNode golden() throws IOException {
    try (InputStream in = VerifyTest.class.getResourceAsStream("/golden/hash_vectors.json")) {
      return new ObjectMapper().readTree(in);
    }
  }

  static Stream<JsonNode> cases() throws IOException {
    JsonNode cases = golden().path("cases");
    assertEquals(19, cases.size());
    return StreamSupport.stream(cases.spliterator(), false);
  }

  private static ReceivedEnvelope envelope(JsonNode vector) {
    Map<String, String> attributes = new HashMap<>();
    vector
        .path("attrs")
        .properties()
        .forEach(entry -> attributes.put(entry.getKey(), entry.getValue().asText()));
    return new ReceivedEnvelope(
        vector.path("topic").asText(),
        vector.path("ts").asText(),
        vector.path("idem_key").asText(),
        vector.path("payload_hash").asText(),
        attributes,
        vector.path("hash_chain").asText());
  }

  private static byte[] payload(JsonNode vector) {
    JsonNode payload = vector.path("payload");
    if (payload.has("base64")) {
      return Base64.getDecoder().decode(payload.path("base64").asText());
    }
    byte[] bytes = new byte[payload.path("length").asInt()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void digestsAreWhatAnotherImplementationSays(JsonNode vector) {
    ReceivedEnvelope envelope = envelope(vector);
    byte[] payload = payload(vector);
    assertEquals(envelope.payloadHash(), ReceivedEnvelope.payloadHash(payload));
    assertEquals(envelope.hashChain(), envelope.expectedHashChain());
    assertEquals(Optional.empty(), envelope.mismatch(payload));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyAlterationShows(JsonNode vector) {
    ReceivedEnvelope whole = envelope(vector);
    byte[] payload = payload(vector);
    assertEquals(Optional.of("payload_hash"), whole.mismatch("other".getBytes(UTF_8)));
    Map<String, String> more = new HashMap<>(whole.attributes());
    more.put("added", "");
    for (ReceivedEnvelope altered :
        List.of(
            new ReceivedEnvelope(
                whole.topic() + "x",
                whole.ts(),
                whole.idemKey(),
                whole.payloadHash(),
                whole.attributes(),
                whole.hashChain()),
            new ReceivedEnvelope(
                whole.topic(),
                whole.ts() + " ",
                whole.idemKey(),
                whole.payloadHash(),
                whole.attributes(),
                whole.hashChain()),
            new ReceivedEnvelope(
                whole.topic(),
                whole.ts(),
                whole.idemKey() + "x",
                whole.payloadHash(),
                whole.attributes(),
                whole.hashChain()),
            new ReceivedEnvelope(
                whole.topic(),
                whole.ts(),
                whole.idemKey(),
                whole.payloadHash(),
                more,
                whole.hashChain()),
            new ReceivedEnvelope(
                whole.topic(),
                whole.ts(),
                whole.idemKey(),
                whole.payloadHash(),
                whole.attributes(),
                OTHER))) {
      assertEquals(Optional.of("hash_chain"), altered.mismatch(payload));
    }
  }

  private LedgerCheck check(LedgerAnchor... anchors) {
    return LedgerVerifier.check(ledger, List.of(anchors));
  }

  private LedgerAnchor anchor(int seq) {
    return new LedgerAnchor(seq, ledger.get(seq - 1).link());
  }

  private void assertBrokenAt(long seq, LedgerAnchor... anchors) {
    assertEquals(seq, assertInstanceOf(BrokenAt.class, check(anchors)).seq());
  }

  @Test
  void aLedgerIsIntactAsExported() {
    assertEquals(new Intact(1, 5, false), check());
    assertEquals(new Intact(1, 5, true), check(anchor(1), anchor(5)));
  }

  @Test
  void noEntriesAreIntactWithoutAnAnchor() {
    LedgerAnchor first = anchor(1);
    ledger.clear();
    assertEquals(new Intact(0, 0, false), check());
    assertBrokenAt(1, first);
  }

  @Test
  void aMissingEntryShows() {
    ledger.remove(2);
    assertBrokenAt(3);
  }

  @Test
  void aMissingBeginningShows() {
    LedgerAnchor second = anchor(2);
    ledger.remove(0);
    ledger.set(0, renumbered(ledger.get(0), 1));
    assertBrokenAt(1);
    assertBrokenAt(1, second);
  }

  private static ExportedEntry renumbered(ExportedEntry entry, long seq) {
    return new ExportedEntry(seq, entry.msgId(), entry.hashChain(), entry.link());
  }

  @Test
  void aSwapShows() {
    Collections.swap(ledger, 1, 2);
    assertBrokenAt(2);
  }

  @Test
  void anAlteredFieldShows() {
    ExportedEntry third = ledger.get(2);
    for (ExportedEntry altered :
        List.of(
            new ExportedEntry(3, "01KE0000000000000000000ZZZ", third.hashChain(), third.link()),
            new ExportedEntry(3, third.msgId(), OTHER, third.link()),
            new ExportedEntry(3, third.msgId(), third.hashChain(), OTHER),
            new ExportedEntry(3, third.msgId(), "b3:00", third.link()),
            new ExportedEntry(3, third.msgId(), third.hashChain(), "none"))) {
      ledger.set(2, altered);
      assertBrokenAt(3);
    }
  }

  /** All links from the alteration on are made again, so only an anchor tells. */
  @Test
  void aRewrittenLedgerMeetsNoAnchor() {
    LedgerAnchor second = anchor(2);
    LedgerAnchor fourth = anchor(4);
    String link = ledger.get(1).link();
    for (int i = 2; i < 5; i++) {
      ExportedEntry bare = new ExportedEntry(i + 1, ledger.get(i).msgId(), OTHER, OTHER);
      link = bare.expectedLink(link);
      ledger.set(i, new ExportedEntry(i + 1, bare.msgId(), OTHER, link));
    }
    assertEquals(new Intact(1, 5, false), check());
    assertEquals(new Intact(1, 5, true), check(second));
    assertBrokenAt(4, fourth);
  }

  @Test
  void aCutEndShowsByAnAnchor() {
    LedgerAnchor fifth = anchor(5);
    ledger.remove(4);
    assertEquals(new Intact(1, 4, false), check());
    assertBrokenAt(5, fifth);
  }

  @Test
  void aLedgerWhoseBeginningIsNotKeptContinuesAnAnchor() {
    LedgerAnchor first = anchor(1);
    LedgerAnchor second = anchor(2);
    ledger.subList(0, 2).clear();
    assertEquals(new Intact(3, 5, false), check());
    assertEquals(new Intact(3, 5, false), check(first));
    assertEquals(new Intact(3, 5, true), check(second));
    assertBrokenAt(3, new LedgerAnchor(2, OTHER));
  }

  @Test
  void nothingIsAcceptedAfterABreak() {
    LedgerVerifier verifier = new LedgerVerifier(List.of());
    assertTrue(verifier.accept(ledger.get(0)));
    assertFalse(verifier.accept(ledger.get(2)));
    assertFalse(verifier.accept(ledger.get(1)));
    assertEquals(2, assertInstanceOf(BrokenAt.class, verifier.verdict()).seq());
  }

  @Test
  void anAnchorIsReadAsItIsWritten() {
    LedgerAnchor anchor = anchor(3);
    assertEquals(anchor, LedgerAnchor.parse(anchor.toString()));
    assertThrows(
        IllegalArgumentException.class,
        () -> new LedgerVerifier(List.of(anchor, new LedgerAnchor(3, OTHER))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3", "3:", "0:" + OTHER, "x:" + OTHER, "3:b3:00", "3 :" + OTHER})
  void anythingElseIsNoAnchor(String text) {
    assertThrows(IllegalArgumentException.class, () -> LedgerAnchor.parse(text));
  }
}
