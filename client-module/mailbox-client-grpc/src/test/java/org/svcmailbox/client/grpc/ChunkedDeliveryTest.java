package org.svcmailbox.client.grpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.Delivery;

class ChunkedDeliveryTest {
  private static final int LARGEST = 10;

  private static ChunkedDelivery of(long size) throws IOException {
    return new ChunkedDelivery(Delivery.newBuilder().setChunkedSize(size).build(), LARGEST);
  }

  private static Chunk chunk(int size, boolean isLast) {
    return Chunk.newBuilder().setData(ByteString.copyFrom(new byte[size])).setLast(isLast).build();
  }

  @Test
  void chunksBecomeThePayload() throws IOException {
    ChunkedDelivery delivery = of(5);
    assertFalse(delivery.add(Chunk.newBuilder().setData(ByteString.copyFromUtf8("app")).build()));
    assertTrue(
        delivery.add(
            Chunk.newBuilder().setData(ByteString.copyFromUtf8("le")).setLast(true).build()));
    assertArrayEquals(
        "apple".getBytes(java.nio.charset.StandardCharsets.UTF_8), delivery.payload());
  }

  @Test
  void theLargestPayloadFits() throws IOException {
    assertEquals(LARGEST, of(LARGEST).payload().length);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 1L << 40, -1})
  void aLargerPayloadIsRefusedBeforeItComes(long size) {
    assertThrows(IOException.class, () -> of(size));
  }

  @ParameterizedTest
  @CsvSource({"0, false", "6, true", "6, false", "5, false", "4, true"})
  void aChunkThatIsEmptyTooLargeOrEndsElsewhereIsRefused(int size, boolean isLast)
      throws IOException {
    ChunkedDelivery delivery = of(5);
    assertThrows(IOException.class, () -> delivery.add(chunk(size, isLast)));
  }
}
