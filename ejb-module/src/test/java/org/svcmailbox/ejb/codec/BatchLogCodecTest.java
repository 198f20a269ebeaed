package org.svcmailbox.ejb.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.BatchLogEntry.Kind;
import org.svcmailbox.ejb.codec.BatchLogCodec.DamagedEntryException;

class BatchLogCodecTest {
  private static final long LIFE = 0x0102030405060708L;

  private static BatchLogEntry entry(Kind kind, String body) {
    ByteBuffer bytes = ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8));
    return new BatchLogEntry(kind, LIFE, 513, new BatchId(9, -1), 2, 514, bytes);
  }

  private static byte[] encoded(BatchLogEntry entry) {
    CoreMessage message = BatchLogCodec.encode(entry, Instant.EPOCH);
    byte[] body = new byte[message.getDataBuffer().readableBytes()];
    message.getDataBuffer().readBytes(body);
    return body;
  }

  @ParameterizedTest
  @EnumSource
  void everyKindComesBack(Kind kind) throws DamagedEntryException {
    BatchLogEntry with = entry(kind, "what it has");
    assertEquals(with, BatchLogCodec.decode(encoded(with)));
    BatchLogEntry without = entry(kind, "");
    assertEquals(without, BatchLogCodec.decode(encoded(without)));
  }

  /** The layout is part of the data format. */
  @Test
  void theLayoutStays() {
    assertEquals(
        "03"
            + "00"
            + "0102030405060708"
            + "0000000000000201"
            + "0000000000000009"
            + "ffffffffffffffff"
            + "0000000000000002"
            + "0000000000000202"
            + "6162"
            + "bafe73b5",
        HexFormat.of().formatHex(encoded(entry(Kind.BATCH, "ab"))));
  }

  /** As an installation has it that is upgraded. */
  @ParameterizedTest
  @CsvSource({"'', BLANK", "6162, BATCH"})
  void theVersionBeforeIsRead(String body, Kind kind) throws DamagedEntryException {
    String header =
        "02" + "0000000000000201" + "0000000000000009" + "ffffffffffffffff" + "0000000000000002";
    byte[] bytes = HexFormat.of().parseHex(header + "0000000000000202" + body);
    BatchLogEntry expected =
        new BatchLogEntry(
            kind,
            0,
            513,
            new BatchId(9, -1),
            2,
            514,
            ByteBuffer.wrap(HexFormat.of().parseHex(body)));
    assertEquals(expected, BatchLogCodec.decode(bytes));
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] bytes = encoded(entry(Kind.BATCH, "what it has"));
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThrows(DamagedEntryException.class, () -> BatchLogCodec.decode(flipped), "bit " + bit);
    }
  }

  @Test
  void everyTruncationIsFound() {
    byte[] bytes = encoded(entry(Kind.HANDOVER, "what it has"));
    for (int length = 0; length < bytes.length; length++) {
      byte[] shorter = new byte[length];
      System.arraycopy(bytes, 0, shorter, 0, length);
      assertThrows(DamagedEntryException.class, () -> BatchLogCodec.decode(shorter));
    }
  }

  @Test
  void aDamagedEntryIsNamedAsFarAsItCanBeRead() {
    byte[] bytes = encoded(entry(Kind.BATCH, "what it has"));
    bytes[bytes.length - 6] ^= 1;
    DamagedEntryException damaged =
        assertThrows(DamagedEntryException.class, () -> BatchLogCodec.decode(bytes));
    assertEquals(513, damaged.entry().number());
    assertEquals("entry 513 (its checksum does not match)", damaged.entry().toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00", "ff", "67617262616765"})
  void whatIsNoEntryIsDamage(String hex) {
    DamagedEntryException damaged =
        assertThrows(
            DamagedEntryException.class, () -> BatchLogCodec.decode(HexFormat.of().parseHex(hex)));
    assertTrue(damaged.entry().toString().startsWith("an entry ("));
  }

  /** The version before has no checksum, but numbers that must fit. */
  @Test
  void contradictingNumbersOfTheVersionBeforeAreDamage() {
    byte[] bytes = new byte[1 + 5 * Long.BYTES];
    bytes[0] = 2;
    assertThrows(DamagedEntryException.class, () -> BatchLogCodec.decode(bytes));
  }
}
