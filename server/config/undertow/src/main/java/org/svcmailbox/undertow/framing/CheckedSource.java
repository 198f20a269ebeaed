package org.svcmailbox.undertow.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ConduitReadableByteChannel;
import org.xnio.conduits.Conduits;
import org.xnio.conduits.StreamSourceConduit;

/** A connection's source whose bytes all pass through {@link #read(ByteBuffer)}. */
abstract class CheckedSource extends AbstractStreamSourceConduit<StreamSourceConduit> {
  CheckedSource(StreamSourceConduit next) {
    super(next);
  }

  @Override
  public abstract int read(ByteBuffer target) throws IOException;

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      if (targets[i].hasRemaining()) {
        return read(targets[i]);
      }
    }
    return 0;
  }

  @Override
  public long transferTo(long position, long count, FileChannel target) throws IOException {
    return target.transferFrom(new ConduitReadableByteChannel(this), position, count);
  }

  @Override
  public long transferTo(long count, ByteBuffer through, StreamSinkChannel target)
      throws IOException {
    return Conduits.transfer(this, count, through, target);
  }
}
