/** The choices of a select with their labels. */
export type Choices = readonly (readonly [value: string, label: string])[];
