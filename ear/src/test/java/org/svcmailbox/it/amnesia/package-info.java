/** What a server leaves behind on disk of what it was told, with amnesia and without. */
@NullMarked
package org.svcmailbox.it.amnesia;

import org.jspecify.annotations.NullMarked;
