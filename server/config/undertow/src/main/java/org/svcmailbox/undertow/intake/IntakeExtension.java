package org.svcmailbox.undertow.intake;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;

/**
 * Limits what clients can hold of the server, whichever deployment they use. The limits apply to
 * every deployment that can see this extension.
 */
public final class IntakeExtension implements ServletExtension {
  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    Counts counts = Counts.ofServer(context);
    context.setAttribute(Counts.ATTRIBUTE, counts.suppliers());
    deployment.addInitialHandlerChainWrapper(next -> new IntakeHandler(next, context, counts));
  }
}
