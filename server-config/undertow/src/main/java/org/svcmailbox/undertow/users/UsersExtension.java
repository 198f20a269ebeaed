package org.svcmailbox.undertow.users;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;

/**
 * Leaves a way to ask for the users of the server in every deployment that can see this extension,
 * as plain types: the application's classes are not known here.
 */
public final class UsersExtension implements ServletExtension {
  /** The attribute; its value is a {@code BiFunction<String, char[], Set<String>>}. */
  static final String USERS = "org.svcmailbox.users";

  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    context.setAttribute(USERS, new DomainUsers());
  }
}
