package org.svcmailbox.core.redrive;

final class InMemoryPermitsTest implements DiscardPermitsContract {
  private final InMemoryPermits permits = new InMemoryPermits();

  @Override
  public DiscardPermits permits() {
    return permits;
  }

  @Override
  public void crash() {}
}
