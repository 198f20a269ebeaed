package org.svcmailbox.client.codec;

import org.svcmailbox.client.Codec;
import org.svcmailbox.client.SerializationException;

/** Has no bodies: nothing is sent or received by it. */
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
