package org.svcmailbox.client.codec;

import org.svcmailbox.client.Codec;
import org.svcmailbox.client.SerializationException;

/** A codec without bodies: it refuses to encode and decode. */
enum NoBodyCodec implements Codec<Void> {
  INSTANCE;

  @Override
  public byte[] encode(Void body) {
    throw new SerializationException("the mailbox was built without a codec for replies");
  }

  @Override
  public Void decode(byte[] bytes) {
    throw new SerializationException("the mailbox was built without a codec for replies");
  }
}
