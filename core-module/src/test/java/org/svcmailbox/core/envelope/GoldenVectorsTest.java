package org.svcmailbox.core.envelope;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

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
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;

/**
 * Compares hashes with vectors in {@code src/test/vectors}, which noble-hashes made without any of
 * this code.
 */
class GoldenVectorsTest {
  private static JsonNode vectors() throws IOException {
    try (InputStream in =
        GoldenVectorsTest.class.getResourceAsStream("/golden/hash_vectors.json")) {
      return new ObjectMapper().readTree(requireNonNull(in));
    }
  }

  @TestFactory
  Stream<DynamicTest> payloadHashAndHashChainAreWhatAnotherImplementationSays() throws IOException {
    return StreamSupport.stream(vectors().get("cases").spliterator(), false)
        .map(one -> DynamicTest.dynamicTest(one.get("name").asText(), () -> check(one)));
  }

  private static void check(JsonNode one) {
    Digest payloadHash = Payload.owning(payload(one.get("payload"))).hash();
    assertEquals(one.get("payload_hash").asText(), payloadHash.toString());
    assertEquals(payloadHash, Digest.parse(one.get("payload_hash").asText()));
    Digest chain =
        HashChain.of(
            new TopicName(one.get("topic").asText()),
            one.get("ts").asText(),
            new IdemKey(one.get("idem_key").asText()),
            payloadHash,
            attributes(one.get("attrs")));
    assertEquals(one.get("hash_chain").asText(), chain.toString());
  }

  private static Attributes attributes(JsonNode attrs) {
    Map<String, String> values = new HashMap<>();
    attrs.properties().forEach(entry -> values.put(entry.getKey(), entry.getValue().asText()));
    return new Attributes(values);
  }

  private static byte[] payload(JsonNode payload) {
    if (payload.has("base64")) {
      return Base64.getDecoder().decode(payload.get("base64").asText());
    }
    byte[] bytes = new byte[payload.get("length").asInt()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    return bytes;
  }

  @Test
  void theLedgersLinksAreWhatAnotherImplementationSays() throws IOException {
    List<LedgerEntry> entries = new ArrayList<>();
    LedgerHead head = LedgerHead.EMPTY;
    for (JsonNode link : vectors().get("ledger")) {
      LedgerEntry entry =
          head.append(
              MsgId.parse(link.get("msg_id").asText()),
              Digest.parse(link.get("hash_chain").asText()));
      assertEquals(link.get("seq").asLong(), entry.seq());
      assertEquals(link.get("link").asText(), entry.link().toString());
      entries.add(entry);
      head = LedgerHead.after(entry);
    }
    assertEquals(
        new LedgerVerdict.Intact(entries.size()), LedgerVerdict.check(LedgerHead.EMPTY, entries));
  }

  @Test
  void aLedgerShowsWhereItWasTamperedWith() throws IOException {
    List<LedgerEntry> whole = new ArrayList<>();
    LedgerHead head = LedgerHead.EMPTY;
    for (JsonNode link : vectors().get("ledger")) {
      whole.add(
          head.append(
              MsgId.parse(link.get("msg_id").asText()),
              Digest.parse(link.get("hash_chain").asText())));
      head = LedgerHead.after(whole.get(whole.size() - 1));
    }
    List<LedgerEntry> shortened = new ArrayList<>(whole);
    shortened.remove(2);
    assertEquals(new LedgerVerdict.BrokenAt(3), LedgerVerdict.check(LedgerHead.EMPTY, shortened));
    List<LedgerEntry> swapped = new ArrayList<>(whole);
    Collections.swap(swapped, 1, 2);
    assertEquals(new LedgerVerdict.BrokenAt(2), LedgerVerdict.check(LedgerHead.EMPTY, swapped));
    LedgerEntry last = whole.get(4);
    whole.set(4, new LedgerEntry(5, last.msgId(), Digest.ZERO, last.link()));
    assertInstanceOf(LedgerVerdict.BrokenAt.class, LedgerVerdict.check(LedgerHead.EMPTY, whole));
  }
}
