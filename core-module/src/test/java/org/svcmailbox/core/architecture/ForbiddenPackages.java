package org.svcmailbox.core.architecture;

/** Packages of one server, one library or one module that portable code keeps away from. */
public final class ForbiddenPackages {
  private static final String[] SERVER_INTERNALS = {
    "io.undertow..", "org.xnio..", "org.jboss..", "org.wildfly..", "org.hibernate.."
  };

  private ForbiddenPackages() {}

  /** What only WildFly has; server-config alone may know it. */
  public static String[] serverInternals() {
    return SERVER_INTERNALS.clone();
  }
}
